/** Code goes on like this behind a `<` that opens no tag: `<<'EOF'`, `x <= 5`, `<-`. */
const CODE = /^[\s<]*["'\d=$()[{+*~%^,;>.?@#-]|^\/>/;
/** A name of one word: an HTML element, a component, a type or a variable. Names of several words, such as `system-reminder`, are read as special. */
const NAME = /^[\s<]*\/?\s*([A-Za-z][A-Za-z\d]*)(?:::|[\s>/,<&|()[\];=.@?!'"`{}*+]|$)/;
/** A variable behind `a < `. */
const COMPARED = /^ ([A-Za-z]\w*)(?![\w-])/;
/** Clients and models give these names, and those that contain them, a meaning of their own. */
const SPECIAL =
  /system|sys|human|user|assistant|claude|developer|agent|inst|important|critical|remind|override|command|prompt|tool|func|invoke|param|result|hook|notif|context|memory|holdfast|antml|think|message|task/i;
/** `Map<User>` behind a name of code; tags are not written so. */
const TYPE = /^(?!System|Human|Assistant|Holdfast)[A-Z][a-z]/;

/** Whether the `<` at this place could be read as a tag that a client or a model treats specially. */
export function opensSpecialTag(text: string, at: number): boolean {
  const rest = text.slice(at + 1);
  if (CODE.test(rest) || (/[A-Za-z\d]/.test(text.charAt(at - 1)) && TYPE.test(rest))) return false;
  const name = (NAME.exec(rest) ?? COMPARED.exec(rest))?.[1];
  return name === undefined || SPECIAL.test(name);
}
