const setOf = (terms: string): ReadonlySet<string> => new Set(terms.split(' '));

/** Words of a request that do not name its topic. Stored as the stems that `analyze` returns: stemming them would cost a hook five milliseconds. */
export const REQUEST_WORDS = setOf(
  'abl actual ad add addit ago allow alreadi alwai anoth anyon anyth appear appli approach around ask avail awai back bad becom begin behav best ' +
    'better big bite break bring call cannot care case caus certain chang check choos clean clear come complet consid contain continu correct creat ' +
    'current dai deal decid describ differ done down easi effect either els end enough ensur even ever everi everyth exactli exampl exist expect ' +
    'explain fact fail far fast feel final find fine finish first fix follow full get give go good great guess handl happen hard hei hello help high ' +
    'hope idea implement improv includ issu keep know larg last later least leav less like littl long look lot make man matter mayb mean mention mind ' +
    'mine miss move much need never new next nice none note noth number often ok okai old open option order otherwis part perfect perhap person pick ' +
    'place plan pleas point possibl probabl problem proper properli put question quick quit readi real realli reason recal recent recommend rememb ' +
    'remov replac requir rest result return right run sai second see seem send sever shall show side similar simpl simpli sinc singl small somebodi ' +
    'someon someth sometim soon sorri specif stai start step still stop stuff suggest support sure take talk tell thank thing think three time todai ' +
    'togeth tomorrow total touch tri true try turn two understand unless updat us user usual valu wai wait want watch week well whether whole wish ' +
    'without wonder word work write wrong ye year yesterdai yet zero',
);

/** Words that every piece of software uses: they count, but little. */
export const EVERYDAY = setOf(
  'access account action admin agent api app applic argument arrai async auth backend background base bash block bodi boolean branch browser bug ' +
    'build button byte cach callback chart class cli click client cloud code codebas color column command comment commit compil compon config configur ' +
    'connect consol content context cooki copi count coverag css csv custom data databas date debug default delet depend deploi deploy design dev ' +
    'develop diff directori displai doc document download edit editor element email empti endpoint engin entri env environ error eslint event except ' +
    'execut export extens extract failur featur fetch field file filter flag folder font form format framework frontend function gener git github ' +
    'gitlab global graph graphql group handler hash header home hook html http icon id imag import index info init inlin input insert instal instanc ' +
    'integr interfac intern item java javascript jetbrain job json kei label languag layout level librari limit line link lint linter list load local ' +
    'locat log logic login loop machin maco main manag map markdown master match md memori menu merg messag metadata method migrat mobil mock modal ' +
    'mode model modul mongodb multipl mysql name navig network nextj node nodej npm null object openai output overview packag page panel parallel ' +
    'paramet parent pars password patch path pattern payload perform permiss pipelin platform plugin polici port post postgresql prefix print process ' +
    'product program progress project prompt properti provid public pull push py python queri queue random raw react read readm record refactor refer ' +
    'regex regist releas reload render repo report repositori request reset resourc respons retri review role root rout row rule sampl save schema ' +
    'scope screen script scroll search section secur select selector server servic session set setup share shell sign size skip sort sourc spec sql ' +
    'state static statu storag store stream string structur style stylelint submit summari switch symbol sync syntax system tab tabl tag target task ' +
    'team templat termin test text theme thread timeout timestamp titl token tool top tree trigger ts type typescript ui undefin unit upload url ' +
    'usernam valid variabl verifi version view vscode warn web websit widget window workflow wrapper yaml',
);

const isPair = (term: string): boolean => term.length === 2 && term > '\u1000';

/** Whether a term names a topic, in any memory: a memory of twenty records cannot know which words are common. */
export const tellsTopic = (term: string): boolean => !REQUEST_WORDS.has(term) && !EVERYDAY.has(term) && !isPair(term) && !/^\d{1,2}$|^[a-z]$/.test(term);
