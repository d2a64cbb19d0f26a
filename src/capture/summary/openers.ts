const OPENER =
  /^(?:(?:actually|so|ok(?:ay)?|now|good|perfect|great|excellent|exactly|yes|wait|ah|right|indeed|hmm+|confirmed|interesting|got it|found it|good (?:question|point|catch)|you're (?:absolutely )?right)(?:[,.!:]+|\s*[—–-]+)\s+)+(?=\S)/i;
const ANNOUNCES =
  /^(?:(?:now )?i (?:can )?(?:now )?(?:see|understand|found)(?: the (?:issue|problem|bug|full picture))?(?: now)?|(?:and |but |so )?the (?:real |actual |main |core )?(?:issue|problem|bug)(?: here)?(?: (?:is|was)|(?=\s*[:—–-]\s))|you're right that|(?:it )?turns out(?: that)?|there's the bug|that's the (?:issue|problem|bug)|the root cause (?:is|was)|the fix (?:is|was) (?:simple|straightforward|clear|easy)(?=:))(?:\s+that\b|\s*[:—–,-])?\s+(?=\S)/i;
/** Left at the start, these make no sentence. */
const FRAGMENT = /^(?:in|on|at|with|from|of|for|by|to|not|only|just|because|when|how|why|where|what|caused|due)\b/i;

const trimmed = (text: string): string => {
  const bare = text
    .replace(OPENER, '')
    .replace(/^(?:but|and)\s+(?=\S)/i, '')
    .trim();
  const told = bare.replace(ANNOUNCES, '').trim();
  return told.length >= 30 && told !== bare && !FRAGMENT.test(told) ? told : bare;
};

/** A sentence without the words that only lead up to it. */
export function withoutOpener(text: string): string {
  const once = trimmed(text);
  return (once === text ? once : trimmed(once)) || text;
}

/** Said of what comes next and of nothing that is. */
export const isAnnouncement = (text: string): boolean =>
  /^(?:(?:now|ok(?:ay)?|so|good|great|perfect|wait|actually|and|but)[,.!:—–-]*\s+)*(?:let me|let's (?:see|check|look|try|verify|run|find)|i'll|i will|i'm going to|i (?:need|want|have) to (?:check|look|see|find|read|verify|understand)|looking at|checking|now (?:let|i(?:'ll| will| need| want| have| should))\b)/i.test(
    text,
  );
