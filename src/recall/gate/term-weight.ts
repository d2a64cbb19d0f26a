import { once } from '../../core/value.ts';
import { GATE } from './weights.ts';

/** Built from lists in one step each, because every hook process builds them again. */
const steps = once(() => COMMON_TERMS.map((terms) => new Set(terms)));

const isPair = (term: string): boolean => term.length === 2 && term > '\u1000';

/** The largest weight of a term in any memory: a memory of twenty records cannot know which words are common. */
export function termWeight(term: string): number {
  if (/^\d{1,2}$|^[a-z]$/.test(term)) return GATE.words.digits;
  if (isPair(term)) return GATE.words.pair;
  return GATE.words.common[steps().findIndex((terms) => terms.has(term))] ?? 1;
}

/** Terms by how common they are in developers' talk, the commonest first: `npm run bench -- common-words` writes all that follows. */
export const COMMON_TERMS: readonly (readonly string[])[] = [
  'add chang check com commit exist file fix github go http line need new npm pass run test updat us'.split(' '),
  (
    'abl accept action actual ad addit against agent ago align allow alreadi alt alwai anoth anyon anyth api appear appli approach argument ' +
    'around arrai ask async auth avail awai await back bad badg base bash becom begin behav behavior best better big bite blob block boolean br ' +
    'branch break bring browser bug build byte call cannot care case caus center certain choos clean clear cli code color come command comment ' +
    'compar compat complet confirm consid consol const contain content context continu correct count creat current custom dai data deal decid ' +
    'default defin delet depend describ detail dev diff differ doc document done down download easi effect either els empti end enough ensur ' +
    'environ error even ever everi everyth exact exactli exampl execut expect explain export extend fact fail failur fals far fast featur feel ' +
    'field final find fine finish first flag follow format full function gener get git give good great guess handl happen hard hei hello help ' +
    'high hope href html hub idea ignor img implement import improv includ index inform input instal io issu item java javascript js json keep ' +
    'kei know label larg last later latest least leav less librari licens like lint list littl local log long look lot main make man map match ' +
    'matter mayb md mean mention messag method mind mine miss mit mode modul move much name never next nice node nodej none note noth npmj npmx ' +
    'number object often ok okai old open option order org otherwis output packag page pars part path pattern perfect perform perhap person phase ' +
    'pick place plan pleas point possibl pr pre probabl problem process project prompt proper properli properti provid push put question quick ' +
    'quit read readi real realli reason recal recent recommend refer remain rememb remov render replac repo request requir resolv rest result ' +
    'return review rewrit right sai scope script second section see seem send session set sever sh shall share shield show side similar simpl ' +
    'simpli sinc singl skill skip small somebodi someon someth sometim soon sorri sourc specif specifi src stai start state statu step still stop ' +
    'store string stuff style suggest summari support sure svg sync take talk target task tell text thank thing think three throw time todai ' +
    'togeth tomorrow tool total touch tree tri true try ts turn two type typescript understand unless url usag user usual util valid valu verif ' +
    'verifi version wai wait want watch week well whether whole wish without wonder word work workflow write wrong www ye year yesterdai yet yml ' +
    'zero'
  ).split(' '),
  (
    'abov access account across activ address admin advanc ag ahead algorithm alia alias along alongsid altern amain analysi app append applic ' +
    'approv architectur area arg artifact assert asset assign associ assum ast asynchron attach attempt author auto automat avatar avoid backend ' +
    'background bar bare basic batch behaviour below bench benchmark between binari bind blank blog blue bodi brightgreen bun bundl bundler ' +
    'button cach callback caller captur carri catch cdn chain charact chart chat child ci cj claim class claud cleanli cleanup click client clone ' +
    'close cloud codebas codecov codex collaps collect column combin comma common commonj commun comparison compil compon compos comput condit ' +
    'config configur conflict connect consist constant constraint constructor consum contribut contributor control convent convert cooki copi ' +
    'copilot core correctli cost cover coverag credit critic cross css csv cursor cwd dark databas date db dead debug decis declar deep defer ' +
    'definit definitelytyp deno deploi deploy deprec deriv descript design detect determin develop dir direct directli directori dirnam disabl ' +
    'discord displai dist div dm doubl drop duplic dw dynam earlier easier easili ecosystem edg edit editor element email emit en enabl encod ' +
    'endpoint engin entir entri env equal equival es esbuild eslint esm eval event except exclud exit explicit explicitli expos express extens ' +
    'extern extra extract extrem fall fallback faster fetch filenam filter fire flat flow fn folder font foo forc fork form four framework free ' +
    'fresh friendli frontend fs fulli futur gap gate gc genuin gg gh githubusercont glob global gnu googl graph green group guard guid gzip hand ' +
    'handler hash head header height helper hex hide higher histori hit home hook host howev icon id ident identifi imag immedi increas increment ' +
    'independ indic infer info init initi inlin insert insid inspect instanc instruct integr intend interfac intern interpret invalid investig ' +
    'iter jest job join jsdelivr kb land languag layer layout lead leak length let level lib light lightweight limit link linter linux listen ' +
    'liter live load locat logic login logo longer lookup loop mac machin maco major manag manual mark markdown master max measur mechan media ' +
    'memori menu merg meta metadata microsoft migrat millisecond min minifi minim minimum mobil mock mod modal model modern modifi month mozilla ' +
    'ms multi multipl nativ navig nest net network nodemodul non normal notic null obj offer offici offset omit on op oper opt optim origin os ' +
    'other overhead overrid overview oxc pair panel parallel param paramet parent parser partial password past patch payload pend permiss persist ' +
    'photo pin pipelin plain platform plu plugin png pnpm pointer polici popul popular port posit post power prefer prefix present preserv pretti ' +
    'prevent previou print privat produc product program progress promis propos protocol prototyp public publish pull punctuat pure purpos px py ' +
    'python queri queue quot race random rang raw reach react readabl readm readonli rebas receiv record red redact reduc ref refactor refresh ' +
    'reg regardless regener regex regexp regist regress regular reject rel relat releas relev reli reload renam repli report repositori repres ' +
    'reset resolut resourc respect respons restor retri reus revers revert risk role rolldown root round rout row rs rule runner runtim safe ' +
    'sampl save scenario schema screen scroll search sec secur segment select selector self semant separ sequenc serial server servic setup shape ' +
    'shell ship short sign signal silent site size slice smaller sort sourcemap space span spawn spec special speed split sponsor sql squar stack ' +
    'stage stale standalon standard star stat statement static storag str stream strict stringifi strip struct structur sub submit subpath suit ' +
    'surfac switch symbol synchron syntax system tab tabl tag team templat termin theme therefor thread thu timeout timestamp tini titl tmp token ' +
    'top trace track trail transform treat trigger trim twitter typic ui unchang undefin underli unit univers unknown unrel unus upgrad upload ' +
    'usernam utf var variabl variou view visibl vitest void vs vscode walk warn wasm web webpack websit whatev white whitespac widget width wiki ' +
    'wikipedia window wire within world worth wrap wrapper writer xc yaml yarn'
  ).split(' '),
  (
    'absent absolut abstract accident accur adjust ae affect agre ai aliv almost alon amend analyz angl annot answer anywai anywher arm assess ' +
    'assumpt atom authent awar backward baselin behind belong benefit beyond bigger blocker boilerpl bold border bottom boundari box brief buffer ' +
    'builder bullet bump bypass cancel candid cap capabl card carefulli cast categori caveat cd cell central changelog channel char checklist ' +
    'checkout checkpoint choic chunk clarifi cleaner cleanest clearli closur complex comprehens concept concern concis concret concurr consolid ' +
    'construct contract contradict convers coupl crash creation curl cut danger dedic dedup defens deleg deliber deliveri delta demand dep depth ' +
    'despit determinist disappear discard discov discoveri discuss disk dispatch distinct distinguish diverg docker downstream drift drive due ' +
    'earli effici effort elimin elsewher emb embed enforc enter err establish evalu evid exclus exec executor exercis expand expir explan explor ' +
    'face factor fatal feat feedback fill finder fit five fixtur flex flight flip fold forget forward frame fundament gather gitignor goal grep ' +
    'grid guarante guidanc guidelin hang happi hardcod harden heurist highlight hold idl impact impli inconsist individu infrastructur inject ' +
    'intent intention interact interrupt introduc invoc invok involv isol justifi kill knowledg larger launch lazi leftov legaci life localhost ' +
    'lock lose low maintain margin marker mask materi mb medium mid middl minor minut mirror mislead mismatch mix mount mutat narrow natur nav ' +
    'near neither nois oauth observ obviou occurr older onto orphan outer outsid overlap overwrit owner ownership pad paragraph perman phrase ' +
    'piec placehold placement planner plumb pop potenti practic precis preview previous primari primit principl prior prioriti proce promot prop ' +
    'propag protect prove proxi qualiti quickli rais rational reachabl reader rebuild recoveri recurs redesign redirect redund referenc reflect ' +
    'refus registri reliabl remot repeat reproduc req research restart restructur robust roughli safeti scale scan scratch screenshot secondari ' +
    'secret seed sens sentenc sequenti serv sha shrink sibl signatur simpler simplest simplif simplifi sit slightli smoke snapshot solid solut ' +
    'solv sound spot squash stabl stash stderr stdin stdout stick strategi subsequ subset substr subtl succeed success successfulli summar ' +
    'suppress surviv swallow symptom tail technic temp term thin third thorough though threshold tighten todo toggl toward trade transit trip ' +
    'trivial truli truncat trust truth twice txt unaffect unblock uncommit uncondition unifi uniqu unnecessari unreach unresolv unstag untouch ' +
    'untrack ux variant verbatim verbos verdict violat visual wast whenev widen win wipe yeah'
  ).split(' '),
];
