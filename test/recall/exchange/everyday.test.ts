import { expect, test } from 'vitest';
import { REQUESTS } from '../../../bench/gate/everyday-words.ts';
import { analyze } from '../../../src/recall/text/analyze.ts';
import { EVERYDAY, REQUEST_WORDS, tellsTopic } from '../../../src/recall/exchange/common-words.ts';

/** The words behind the terms, with those in bench/gate: add one, and the tests below say what is missing there. */
const EVERYDAY_WORDS = `
  access account action admin agent api app application argument array async auth backend background base bash block body boolean branch browser bug
  build button bytes cache callback chart class cli click client cloud code codebase color column command comment commit compile component config
  configuration connect connection console content context cookie copy count coverage css csv custom data database date debug default delete dependency
  deploy deployment design dev develop developer development diff directory display docs document documentation download edit editor element email empty
  endpoint engine entry env environment error eslint event exception execute export extension extract failure feature fetch field file filter flag
  folder font form format framework frontend function generate git github gitlab global graph graphql group handler hash header home hook html http icon
  id image import index info init inline input insert install instance integration interface internal item java javascript jetbrains job json key label
  language layout level library limit line link lint linter list load local location log logic login loop machine macos main manage map markdown master
  match md memory menu merge message metadata method migration mobile mock modal mode model module mongodb multiple mysql name navigate network nextjs
  node nodejs npm null object openai output overview package page panel parallel parameter parent parse password patch path pattern payload performance
  permission pipeline platform plugin policy port post postgresql prefix print process product production program progress project prompt property
  provider public pull push py python query queue random raw react read readme record refactor reference regex register release reload render repo
  report repository request reset resource response retry review role root route row rule sample save schema scope screen script scroll search section
  security select selector server service session settings setup share shell sign size skip sort source spec sql state static status storage store
  stream string structure style stylelint submit summary switch symbol sync syntax system tab table tag target task team template terminal test text
  theme thread timeout timestamp title token tool top tree trigger ts type typescript ui undefined unit upload url username validate variable verify
  version view vscode warning web website widget window workflow wrapper yaml`;

const sorted = (terms: Iterable<string>): string[] => [...new Set(terms)].toSorted((a, b) => (a < b ? -1 : 1));

test('the hollow terms are those of the hollow words, as they are analysed today', () => {
  expect(sorted(REQUEST_WORDS)).toEqual(sorted(analyze(REQUESTS)));
});

test('the everyday terms are those of the everyday words, and none is hollow too', () => {
  expect(sorted(EVERYDAY)).toEqual(sorted(analyze(EVERYDAY_WORDS)).filter((term) => !REQUEST_WORDS.has(term)));
});

test.each([
  ['please', false],
  ['added', false],
  ['database', false],
  ['TypeScript', false],
  ['7', false],
  ['数据', false],
  ['webhook', true],
  ['137', true],
])('%s says what a text is about: %s', (word, telling) => {
  expect(tellsTopic(analyze(word).at(-1) ?? '')).toBe(telling);
});
