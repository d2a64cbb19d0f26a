import { useState } from 'preact/hooks';
import { say } from '../toasts.ts';
import { signInWith } from './me.ts';

const TOKEN = /^hf_\d+_[0-9a-f]{12}_[0-9a-f]{64}$/;
const ORGANISATION = /^[a-z0-9][a-z0-9-]{0,62}$/;

function ByToken() {
  const [token, setToken] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (TOKEN.test(token.trim())) void signInWith(token.trim());
        else say('This is not a token.', { isError: true, hint: 'a token begins with hf_ and is shown once, when it is created' });
      }}
    >
      <label>
        Token
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          placeholder="hf_…"
          onInput={(event) => setToken(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Sign in
      </button>
    </form>
  );
}

const STARTED_KEY = 'sign-in';
/** The server waits for the issuer equally long. */
const WAIT_MS = 10 * 60_000;

/** Whether this tab has just gone to the issuer: a link with another member's key must not sign in its reader as that member. */
export function isSigningIn(): boolean {
  const started = Number(sessionStorage.getItem(STARTED_KEY) ?? 0);
  sessionStorage.removeItem(STARTED_KEY);
  return Date.now() - started < WAIT_MS;
}

/** Sends the browser to the issuer, which returns it with the token in the fragment. */
function ByIssuer() {
  const [organisation, setOrganisation] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ORGANISATION.test(organisation)) {
          sessionStorage.setItem(STARTED_KEY, String(Date.now()));
          location.assign(`/sign-in/${organisation}?to=page`);
        } else say('This is not the name of an organisation.', { isError: true, hint: 'use small letters, digits and hyphens' });
      }}
    >
      <label>
        Organisation
        <input spellcheck={false} value={organisation} onInput={(event) => setOrganisation(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary">
        Sign in with your organisation
      </button>
    </form>
  );
}

export const SignIn = ({ hasIssuer }: { readonly hasIssuer: boolean }) => (
  <main class="sign-in">
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 4v13M16 17c0 5-4 6-8 11M16 17c0 5 4 6 8 11M16 17v11" />
    </svg>
    <h1>Your team’s memory</h1>
    {hasIssuer && <ByIssuer />}
    <ByToken />
    <p class="quiet">
      An admin creates a token with <code>holdfast team token NAME</code>. The session that it starts lasts at most a day and is kept in memory only: after a
      reload the page asks for the token again.
    </p>
  </main>
);
