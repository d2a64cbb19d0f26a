/** Forms that no suffix rule reaches, and words cut short as people do when they talk, each group ending in the form that stands for it. */
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

/** The form that stands for a word, if no suffix rule reaches it. A question of a few words is looked up in the text itself: a table pays only for many. */
export function irregularBase(word: string): string | undefined {
  if (bases === undefined && ++scanned <= MOST_SCANNED) return scan(word);
  return (bases ??= read(GROUPS.split(' '))).get(word);
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

function read(words: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let forms: string[] = [];
  for (const word of words) {
    const [form = '', base] = word.split('>');
    forms.push(form);
    if (base === undefined) continue;
    for (const each of forms) found.set(each, base);
    forms = [];
  }
  return found;
}
