/** Words of a request that do not name its subject. */
export const REQUESTS = `
  able actually add added adding addition again ago allow already also always another any anyone anything appear apply approach around ask available
  away back bad because become begin behave best better big bit both break bring broken call can cannot care case cause certain change check choose
  chose chosen clean clear come complete consider contain continue correct could create current day deal decide describe did different do does done down
  each easy effect either else end enough ensure even ever every everything exactly example exist expect explain fact fail far fast feel few final find
  fine finish first fix follow found full gave get give go goes going gone good got great guess had handle happen hard has have he hello help her here
  hey high him hope how idea implement improve include instead issue just keep kind know large last later least leave less let like little long look lot
  made make man many matter may maybe me mean mention might mind mine miss more most move much must need never new next nice none note nothing now
  number off often ok okay old once one only open option order other otherwise our out over own part people perfect perhaps pick place plan please point
  possible probably problem proper properly put question quick quite rather ready real really reason recall recent recommend remember remove replace
  require rest result return right run said same saw say second see seem seen send several shall she should show shown side similar simple simply since
  single small so some somebody someone something sometimes soon sorry specific start stay step still stop stuff such suggest support sure take talk
  tell than thank thanks that them then there these they thing think this those three time today together told tomorrow too total touch tried true try
  turn two understand unless until update us use used user using usual value very wait want was watch way week well went were what when where whether
  which while who whole why will wish with without won wonder word work would write wrong year yes yesterday yet you zero`;

/** Words that are common to all software. */
export const SOFTWARE = `
  access account action admin agent api app application argument array async auth backend background base bash block body boolean branch browser bug
  build button bytes cache callback chart class cli click client cloud code codebase color column command comment commit compile component config
  configuration connect connection console content context cookie copy count coverage css csv custom data database date debug default delete dependency
  deploy deployment design dev develop developer development diff directory display docs document documentation download edit editor element email empty
  endpoint engine entry env environment error event exception execute export extension extract failure feature fetch field file filter flag folder font
  form format framework frontend function generate git github global graph group handler hash header home hook html http icon id image import index info
  init inline input insert install instance integration interface internal item javascript job json key label language layout level library limit line
  link lint linter list load local location log logic login loop machine macos main manage map markdown master match md memory menu merge message
  metadata method migration mobile mock modal mode model module multiple name navigate network node nodejs npm null object output overview package page
  panel parallel parameter parent parse password patch path pattern payload performance permission pipeline platform plugin policy port post prefix
  print process product production program progress project prompt property provider public pull push py python query queue random raw read readme
  record refactor reference regex register release reload render repo report repository request reset resource response retry review role root route row
  rule sample save schema scope screen script scroll search section security select selector server service session settings setup share shell sign size
  skip sort source spec sql state static status storage store stream string structure style submit summary switch symbol sync syntax system tab table
  tag target task team template terminal test text theme thread timeout timestamp title token tool top tree trigger ts type typescript ui undefined unit
  upload url username validate variable verify version view warning web website widget window workflow wrapper yaml`;
