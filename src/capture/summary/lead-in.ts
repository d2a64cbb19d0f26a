import { one } from '../triage/words.ts';

const EXCLAIMED = one(
  'actually|so|ok(?:ay)?|now|good|perfect|great|excellent|exactly|yes|wait|ah|right|indeed|hmm+|confirmed|interesting|got it|found it',
  `good (?:question|point|catch)|you're (?:absolutely )?right`,
);
const OPENER = new RegExp(String.raw`^(?:${EXCLAIMED}(?:[,.!:]+|\s*[—–-]+)\s+)+(?=\S)`, 'i');
const LEADS_UP = one(
  '(?:now )?i (?:can )?(?:now )?(?:see|understand|found)(?: the (?:issue|problem|bug|full picture))?(?: now)?',
  String.raw`(?:and |but |so )?the (?:real |actual |main |core )?(?:issue|problem|bug)(?: here)?(?: (?:is|was)|(?=\s*[:—–-]\s))`,
  `you're right that|(?:it )?turns out(?: that)?|there's the bug|that's the (?:issue|problem|bug)|the root cause (?:is|was)`,
  'the fix (?:is|was) (?:simple|straightforward|clear|easy)(?=:)',
);
const ANNOUNCES = new RegExp(String.raw`^${LEADS_UP}(?:\s+that\b|\s*[:—–,-])?\s+(?=\S)`, 'i');
/** A rest that starts with one of these is no sentence. */
const FRAGMENT = /^(?:in|on|at|with|from|of|for|by|to|not|only|just|because|when|how|why|where|what|caused|due)\b/i;

const withoutLeadIn = (text: string): string => {
  const bare = text
    .replace(OPENER, '')
    .replace(/^(?:but|and)\s+(?=\S)/i, '')
    .trim();
  const step = bare.replace(ANNOUNCES, '').trim();
  return step.length >= 30 && step !== bare && !FRAGMENT.test(step) ? step : bare;
};

/** A sentence without its lead-in. */
export function withoutOpener(text: string): string {
  const once = withoutLeadIn(text);
  return (once === text ? once : withoutLeadIn(once)) || text;
}

const SETS_OUT = one(
  `let me|let's (?:see|check|look|try|verify|run|find)|i'll|i will|i'm going to|looking at|checking`,
  'i (?:need|want|have) to (?:check|look|see|find|read|verify|understand)',
  String.raw`now (?:let|i(?:'ll| will| need| want| have| should))\b`,
);
const ANNOUNCEMENT = new RegExp(String.raw`^(?:(?:now|ok(?:ay)?|so|good|great|perfect|wait|actually|and|but)[,.!:—–-]*\s+)*${SETS_OUT}`, 'i');

/** Whether a sentence only announces what the agent does next. */
export const isAnnouncement = (text: string): boolean => ANNOUNCEMENT.test(text);
