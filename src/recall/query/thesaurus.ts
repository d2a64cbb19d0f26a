import { analyze } from '../analyze.ts';

/** Words that people use for one another, a group a line. A question is widened by them, at a part of their weight; what is indexed stays as written. */
const GROUPS = `
movie film
buy purchase
begin start
job work career occupation
trip travel journey vacation holiday
car vehicle
sick ill
happy glad joy excited
sad upset
enjoy love like favorite
friend buddy
house home
gift present
exercise workout gym fitness
book novel
song music
concert show gig
competition contest tournament
hobby interest activity
store shop
company business
school college university education study
marry wedding husband wife spouse partner
brother sister sibling
parent mother father
food meal dish
beach sea ocean
afraid scared fear
help support assist
volunteer charity donate
injury hurt accident
pet dog cat
doctor physician
city town
remove delete drop
add create introduce
change modify update edit
fix repair resolve
error failure exception crash
bug defect issue
folder directory
repo repository
config configuration setting
doc documentation readme
auth authentication authorization login
db database
dep dependency
env environment
param parameter argument
function method
ui interface frontend
backend server
deploy release publish ship
build compile
run execute
page screen view
refactor restructure
performance latency speed
permission access
secret credential token
cli command terminal shell
typecheck tsc
k8s kubernetes
js javascript
ts typescript
py python
`;

const groups = GROUPS.trim()
  .split('\n')
  .map((line) => [...new Set(line.split(' ').flatMap(analyze))]);

/** Other terms for a term, none for most. */
export function otherTermsFor(term: string): readonly string[] {
  return groups.filter((group) => group.includes(term)).flatMap((group) => group.filter((other) => other !== term));
}
