/** Porter's algorithm (1980) over lower-case ASCII words, written for speed: it runs on every word that is indexed. */

const VOWELS = new Set('aeiou');

function isConsonant(word: string, at: number): boolean {
  const letter = word[at] as string;
  if (VOWELS.has(letter)) return false;
  return letter !== 'y' || at === 0 || !isConsonant(word, at - 1);
}

/** How many times a vowel run is followed by a consonant run in the first `end` letters. */
function measure(word: string, end: number): number {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < end; at++) {
    const consonant = isConsonant(word, at);
    if (consonant && afterVowel) count++;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (!isConsonant(word, at)) return true;
  return false;
}

const endsDouble = (word: string): boolean => word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1);

/** Consonant, vowel, consonant, the last not w, x or y: "hop" but not "snow". */
function endsShort(word: string): boolean {
  const last = word.length - 1;
  if (last < 2) return false;
  return isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2) && !'wxy'.includes(word[last] as string);
}

const STEP_2: readonly (readonly [string, string])[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
];

const STEP_3: readonly (readonly [string, string])[] = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
];

const STEP_4: readonly string[] = [
  'ement',
  'ance',
  'ence',
  'able',
  'ible',
  'ment',
  'ant',
  'ent',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
  'ion',
  'al',
  'er',
  'ic',
  'ou',
];

function plural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('ss') ? word : word.slice(0, -1);
}

function pastAndGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word;
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0;
  if (cut === 0 || !hasVowel(word, word.length - cut)) return word;
  const base = word.slice(0, -cut);
  if (base.endsWith('at') || base.endsWith('bl') || base.endsWith('iz')) return `${base}e`;
  if (endsDouble(base) && !'lsz'.includes(base.at(-1) as string)) return base.slice(0, -1);
  return measure(base, base.length) === 1 && endsShort(base) ? `${base}e` : base;
}

function replaceSuffix(word: string, rules: readonly (readonly [string, string])[]): string {
  const rule = rules.find((one) => word.endsWith(one[0]));
  if (rule === undefined) return word;
  const end = word.length - rule[0].length;
  return measure(word, end) > 0 ? word.slice(0, end) + rule[1] : word;
}

function dropSuffix(word: string): string {
  for (const suffix of STEP_4) {
    if (!word.endsWith(suffix)) continue;
    const end = word.length - suffix.length;
    if (measure(word, end) <= 1) return word;
    if (suffix === 'ion' && !'st'.includes(word[end - 1] as string)) return word;
    return word.slice(0, end);
  }
  return word;
}

function tidy(word: string): string {
  let out = word;
  if (out.endsWith('e')) {
    const base = out.slice(0, -1);
    const size = measure(base, base.length);
    if (size > 1 || (size === 1 && !endsShort(base))) out = base;
  }
  return out.endsWith('ll') && measure(out, out.length) > 1 ? out.slice(0, -1) : out;
}

export function stem(word: string): string {
  if (word.length < 3) return word;
  let out = pastAndGerund(plural(word));
  if (out.endsWith('y') && hasVowel(out, out.length - 1)) out = `${out.slice(0, -1)}i`;
  return tidy(dropSuffix(replaceSuffix(replaceSuffix(out, STEP_2), STEP_3)));
}

/** Irregular forms and short spoken forms, in groups `form form>base`. */
const GROUPS =
  'went gone goes>go bought>buy gave given>give took taken>take made>make saw seen>see told>tell found>find left>leave felt>feel kept>keep began begun>begin ' +
  'brought>bring thought>think came>come got gotten>get met>meet ran>run wrote written>write said>say spoke spoken>speak sold>sell sent>send built>build ' +
  'taught>teach caught>catch won>win lost>lose paid>pay broke broken>break chose chosen>choose drew drawn>draw drove driven>drive ate eaten>eat fell fallen>fall ' +
  'flew flown>fly forgot forgotten>forget grew grown>grow heard>hear held>hold hid hidden>hide knew known>know led>lead meant>mean rode ridden>ride rose risen>rise ' +
  'sang sung>sing sat>sit slept>sleep spent>spend stood>stand swam swum>swim threw thrown>throw understood>understand woke woken>wake wore worn>wear became>become ' +
  'fought>fight froze frozen>freeze hung>hang shot>shoot shown>show stole stolen>steal struck>strike tore torn>tear dealt>deal dug>dig fed>feed bit bitten>bite ' +
  'blew blown>blow bent>bend lent>lend sought>seek shook shaken>shake sank sunk>sink lit>light stuck>stick swept>sweep split>split rebuilt>rebuild rewrote rewritten>rewrite ' +
  'overrode overridden>override reran>rerun undid undone>undo redid redone>redo withdrew withdrawn>withdraw bound>bind wound>wind slid>slide spun>spin ' +
  'men>man women>woman children kids kid>child people>person feet>foot teeth>tooth mice>mouse lives>life wives>wife indices>index matrices>matrix vertices>vertex ' +
  'mom mum mommy mama>mother dad daddy papa>father pic pics picture pictures>photo ' +
  'fam>family biz>business fave faves fav favourite>favorite fest>festival edu>education vid vids>video convo convos>conversation bday>birthday ' +
  'xmas>christmas uni>university math>mathematics congrats>congratulation tv>television bike bikes>bicycle teen teens>teenager ' +
  'coworker coworkers workmate workmates>colleague grandma>grandmother grandpa>grandfather bro>brother sis>sister hubby>husband ' +
  'pup pups puppy puppies doggy>dog kitty kitten kittens>cat veggie veggies>vegetable';

const MOST_SCANNED = 100;
let bases: ReadonlyMap<string, string> | undefined;
let scanned = 0;

/** The base of an irregular word. The first words are searched for in the text itself: a table pays only for many words. */
export function irregularBase(word: string): string | undefined {
  if (bases === undefined && ++scanned <= MOST_SCANNED) return scan(word);
  return (bases ??= readGroups(GROUPS.split(' '))).get(word);
}

const WORD = /^[a-z]+$/;

function scan(word: string): string | undefined {
  if (!WORD.test(word)) return undefined;
  for (let at = GROUPS.indexOf(word); at >= 0; at = GROUPS.indexOf(word, at + 1)) {
    const after = GROUPS[at + word.length];
    if ((at > 0 && GROUPS[at - 1] !== ' ') || (after !== ' ' && after !== '>')) continue;
    const from = GROUPS.indexOf('>', at) + 1;
    const to = GROUPS.indexOf(' ', from);
    return GROUPS.slice(from, to < 0 ? undefined : to);
  }
  return undefined;
}

function readGroups(words: readonly string[]): Map<string, string> {
  const baseByForm = new Map<string, string>();
  let forms: string[] = [];
  for (const word of words) {
    const [form = '', base] = word.split('>');
    forms.push(form);
    if (base === undefined) continue;
    for (const irregular of forms) baseByForm.set(irregular, base);
    forms = [];
  }
  return baseByForm;
}
