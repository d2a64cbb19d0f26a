/** Words too common to tell one text from another. A query made of nothing else keeps them, so that it still finds something. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after again all also am an and any are aren as at be because been before being both but by can could couldn did didn do does doesn doing don ' +
    'during each few for from further had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself ' +
    'just let ll me more most my myself no nor not now of off on once only or other our ours ourselves out over own re s same shan she should shouldn so some ' +
    'such t than that the their theirs them themselves then there these they this those through to too under until up us ve very was wasn we were weren what ' +
    'when where which while who whom whose why will with won would wouldn you your yours yourself yourselves d m e g ie eg etc via instead rather one many kind might may must per'
  ).split(' '),
);
