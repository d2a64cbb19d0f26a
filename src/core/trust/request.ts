/** A prompt that the user typed, or an answer to a question of the agent. */
export interface Prompt {
  readonly text: string;
  readonly answersQuestion: boolean;
}

/** Words alone, in lower case, with a space on either side: `Remember: tabs!` reads ` remember tabs `. */
const plain = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}\p{So}]+/gu, ' ')} `.replace(/ +/g, ' ');

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;
const LEAST_WORDS = 3;
const LEAST_CJK = 4;

/** Scripts without spaces are counted by their letters. */
const isLongEnough = (words: string): boolean => words.trim().split(' ').length >= LEAST_WORDS || (words.match(CJK)?.length ?? 0) >= LEAST_CJK;

/** Words that ask for something to be kept, changed or dropped, or that settle something, in ten languages; `*` stands for any ending. */
const ASKS = [
  'please|write (?:(?:it|this|that|them) )?down|jot*|bear in mind|make sure|always|never|decid*|decision|choos*|chose|chosen|rule|using|go with|let s|lets|from now on|don t|do not|should|must|instead',
  'bitte|merk|merke|merken|erinner*|speicher*|behalt*|notier*|vergiss|lösch*|entfern*|änder*|ersetz*|füg|füge|immer|nie|niemals|lieber|bevorzug*|entscheid*|entschied*|nimm|nehmen|verwend*|nutze|nutzen|benutz*|soll|sollen|sollte|sollten|muss|müssen|ab jetzt|künftig',
  'recuerd*|guarda|guardar|guarde|anota|anotar|apunta|apuntar|olvida|olvidar|borra|borrar|elimina|eliminar|actualiza|actualizar|cambia|cambiar|corrige|corregir|reemplaza|siempre|nunca|prefier*|decidi*|elegi*|elige|usa|usar|usamos|usemos|vamos a|debe|debemos|quiero|a partir de ahora|por favor',
  'souvien*|rappel*|retien*|retenir|enregistr*|sauvegard*|garde|gardez|notez|oublie|oubliez|supprim*|mets|mettez|changez|corrigez|corrige|remplac*|toujours|jamais|préfèr*|préfér*|décid*|choisi*|utilis*|dois|doit|devons|veux|désormais|s il te|s il vous',
  'lembr*|salve|anote|esqueça|esquecer|apague|apagar|remova|atualiz*|mude|mudar|sempre|prefir*|escolh*|vamos|deve|quero|ricord*|salva|salvare|annota|dimentic*|cancella|aggiorna|mai|preferi*|usiamo|devi|voglio',
  'onthoud*|bewaar|noteer|vergeet|verwijder*|wijzig|altijd|nooit|liever|beslis*|gebruik*|moet|moeten|wil|zapamięt*|zapisz|zapomnij|usuń|zmień|zawsze|nigdy|wolę|użyj|hatırla*|kaydet*|unut|unutma|sil|değiştir*|her zaman|asla|kullan*',
  'запомн*|сохран*|запиш*|забуд*|удал*|измен*|обнов*|всегда|никогда|предпоч*|реши*|использ*|давай*|должн*|хочу|пожалуйста',
].join('|');
/** English words that are also nouns: after an article or a similar word they are no request. */
const ASKING_VERBS =
  'remember|memori[sz]e|save|store|keep|note|record|forget|delete|remove|retire|drop|update|change|correct|replace|rename|add|put|set|prefer|pick|use|stop|want|need|agree|stick|switch';
const NOUN_AFTER = '(?<! (?:the|a|an|this|that|these|those|my|your|our|its|their|any|some|of|in|on))';
const REQUEST = new RegExp(`(?: (?:${ASKS.replaceAll('*', '\\p{L}*')})|${NOUN_AFTER} (?:${ASKING_VERBS})(?:s|d|ed)?) `, 'u');
const CJK_REQUEST =
  /记住|記住|记得|記得|保存|记录|記錄|别忘|忘记|忘掉|删除|刪除|更新|修改|总是|總是|永远|从不|不要|请|請|决定|決定|使用|采用|以后|今后|必须|覚え|記憶|記録|保存|忘れ|削除|変更|更新|常に|必ず|使う|使って|してください|決め|기억|저장|기록|잊어|삭제|변경|항상|절대|사용|결정|하자|해줘|주세요|จำ|บันทึก|ลืม|ลบ|เสมอ/u;
/** Languages whose requests the list above knows; a text in another one is judged by its sentences. */
const LISTED = / (?:the|and|to|that|this|with|you|what|how|it|der|die|das|und|nicht|ist|el|los|que|para|les|des|est|uma|che|het|een|dat) /u;
/** Anywhere before the quotation in its clause, or right before it. */
const NEGATION = / (?:not|\p{L}+n t|dont|never|nicht|niemals|kein\p{L}*|pas|jamais|nunca|não|niet|geen|не) | (?:no|nie|ne|non) $|(?:不|不要|别|別|勿|没)$/u;
const CLAUSE_END = /[.,;:!?…。，；：！？、\n()[\]"“”«»–—]/u;

/** The place of a quotation in a text, ignoring punctuation and case. */
function placeIn(prompt: string, quoted: string): { readonly before: string; readonly after: string } | undefined {
  const [whole, words] = [plain(prompt), plain(quoted)];
  const isSpaceless = (quoted.match(CJK)?.length ?? 0) > 0;
  const at = isSpaceless ? whole.replaceAll(' ', '').indexOf(words.replaceAll(' ', '')) : whole.indexOf(words);
  if (at < 0) return undefined;
  // The same count of letters before it, in the text with its marks.
  const text = isSpaceless ? whole.replaceAll(' ', '') : whole;
  const size = (part: string): number => part.replaceAll(' ', '').length;
  const [skip, length] = [size(text.slice(0, at)), size(words)];
  const [start, end] = [offsetOf(prompt, skip), offsetOf(prompt, skip + length)];
  return { before: prompt.slice(0, start), after: prompt.slice(end) };
}

/** The offset in a text after its first `count` letters. */
function offsetOf(text: string, letters: number): number {
  let left = letters;
  let at = 0;
  for (const char of text) {
    if (left <= 0) break;
    left -= plain(char).trim().length;
    at += char.length;
  }
  return at;
}

const endsClause = (before: string): boolean => before.trim() === '' || CLAUSE_END.test(/\s*\S?\s*$/u.exec(before)?.[0] ?? '');
const startsClause = (after: string): boolean => after.trim() === '' || CLAUSE_END.test(/^\s*\S?/u.exec(after)?.[0] ?? '');

/** The part of a clause that stands before a quotation from it. */
const leadOf = (before: string): string => before.slice(before.search(/[^.,;:!?…。，；：！？、\n]*$/u));

/**
 * Whether an agent's quotation is a request of its user: words that stand in a prompt, long enough to mean something, that ask or settle something, or the
 * whole of a short answer to the agent's question. Quoting around a "not" is no request.
 */
export function isRequest(quoted: string, { text, answersQuestion }: Prompt): boolean {
  const words = plain(quoted);
  if (words.trim() === '') return false;
  const asks = REQUEST.test(words) || CJK_REQUEST.test(quoted);
  if (words === plain(text)) return asks || answersQuestion || (isLongEnough(words) && !LISTED.test(words));
  const place = placeIn(text, quoted);
  if (place === undefined || !isLongEnough(words) || NEGATION.test(plain(leadOf(place.before))) || NEGATION.test(leadOf(place.before).trimEnd())) return false;
  if (asks) return true;
  // In a language without a word list, a whole clause that the user typed.
  return !LISTED.test(words) && !LISTED.test(plain(text)) && endsClause(place.before) && startsClause(place.after);
}

/** Whether the words are in a prompt at all, for telling a forged quotation from a weak one. */
export const isQuoted = (quoted: string, text: string): boolean => placeIn(text, quoted) !== undefined && plain(quoted).trim() !== '';

const significant = (text: string): readonly string[] => [...new Set(plain(text).split(' '))].filter((word) => word.length >= 4 || /\p{N}/u.test(word));
const OWN_SHARE = 0.6;

/** Addresses, paths and options: a single one can be all that a hostile page wants to have saved. */
const namesIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s"'`<>()[\]{},;]+/)
    .map((word) => word.replace(/[.:!?]+$/, ''))
    .filter((word) => /[\p{L}\p{N}][./:@\\]+[\p{L}\p{N}]|^-{1,2}\p{L}/u.test(word));

/** Whether a text repeats the user's words, and not text that the agent read elsewhere: most words of each sentence, and every address, path and option, are the user's. */
export function isInWordsOf(text: string, prompts: readonly string[]): boolean {
  const all = prompts.join(' ');
  const [typed, raw] = [plain(all), all.toLowerCase()];
  const sentences = text.split(/(?<=[.!?;])\s+|[\n。！？；]+/).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
  return sentences.length > 0 && namesIn(text).every((name) => raw.includes(name)) && sentences.every((sentence) => isTyped(sentence, typed));
}

function isTyped(sentence: string, typed: string): boolean {
  const letters = [...new Set(sentence.match(CJK) ?? [])];
  if (letters.length > 0) return letters.filter((letter) => typed.includes(letter)).length >= letters.length * OWN_SHARE;
  const words = significant(sentence);
  // One word alone, such as a status or a tag, says nothing.
  return words.length < 2 || words.filter((word) => typed.includes(` ${word}`)).length >= words.length * OWN_SHARE;
}
