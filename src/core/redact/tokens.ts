import { type CharSet, ALNUM, BASE64, DOTTED, ESCAPED, HEX, mayBegin, runEnd, UPPER, URL64, WORD } from './span.ts';
import { JUDGED } from './judge.ts';
import { isExample } from './placeholder.ts';
import type { Rule } from './scan.ts';

/** Kind, prefixes, characters of the body, its least and greatest length. The vendors' published formats, a little wider if the prefix is distinctive. */
type Row = readonly [kind: string, prefixes: string, body: CharSet, least: number, most?: number];

const ROWS: readonly Row[] = [
  ['github-token', 'ghp_ gho_ ghu_ ghr_', ALNUM, 20],
  ['github-token', 'ghs_', DOTTED, 30],
  ['github-token', 'github_pat_', WORD, 22],
  ['gitlab-token', 'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-', DOTTED, 18],
  ['gitlab-token', 'GR1348941', URL64, 18],
  ['slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe- xoxc- xoxd- xapp- xoxe.xoxb- xoxe.xoxp-', ESCAPED, 16],
  ['stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', ALNUM, 16],
  ['stripe-webhook-secret', 'whsec_', BASE64, 24],
  ['google-api-key', 'AIza', URL64, 30, 60],
  ['google-api-key', 'AQ.Ab', URL64, 30],
  ['google-oauth-secret', 'GOCSPX-', URL64, 20],
  ['google-oauth-token', 'ya29. 1//0', DOTTED, 24],
  ['anthropic-key', 'sk-ant-', URL64, 20],
  ['openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', URL64, 20],
  ['openai-key', 'sk- sess-', ALNUM, 20],
  ['openrouter-key', 'sk-or-v1-', HEX, 32],
  ['langfuse-key', 'sk-lf-', URL64, 32],
  ['huggingface-token', 'hf_ api_org_', ALNUM, 30],
  ['npm-token', 'npm_', ALNUM, 30],
  ['pypi-token', 'pypi-', URL64, 40],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', HEX, 40],
  ['vault-token', 'hvs. hvb. hvr.', URL64, 20],
  ['1password-token', 'ops_ey', BASE64, 50],
  ['age-key', 'AGE-SECRET-KEY-1', UPPER, 50],
  ['docker-token', 'dckr_pat_ dckr_oat_', URL64, 20],
  ['shopify-token', 'shpat_ shpca_ shppa_ shpss_', ALNUM, 30],
  ['linear-key', 'lin_api_ lin_oauth_', WORD, 32],
  ['notion-token', 'ntn_', ALNUM, 40],
  ['notion-token', 'secret_', ALNUM, 43, 43],
  ['groq-key', 'gsk_', ALNUM, 40],
  ['xai-key', 'xai-', ALNUM, 60],
  ['perplexity-key', 'pplx-', ALNUM, 40],
  ['cerebras-key', 'csk-', ALNUM, 40],
  ['fireworks-key', 'fw_', ALNUM, 22, 26],
  ['nvidia-key', 'nvapi-', URL64, 50],
  ['replicate-token', 'r8_', ALNUM, 36],
  ['elevenlabs-key', 'sk_', HEX, 48, 48],
  ['tavily-key', 'tvly-', URL64, 20],
  ['firecrawl-key', 'fc-', HEX, 32, 32],
  ['pinecone-key', 'pcsk_', WORD, 40],
  ['langsmith-key', 'lsv2_pt_ lsv2_sk_', WORD, 32],
  ['aws-bedrock-key', 'ABSK', BASE64, 100],
  ['figma-token', 'figd_ figo_ figoh_', URL64, 36],
  ['vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', ALNUM, 20, 80],
  ['netlify-token', 'nfp_', ALNUM, 36],
  ['render-key', 'rnd_', ALNUM, 28],
  ['fly-token', 'fo1_ fm1r_ fm1a_ fm2_', BASE64, 40],
  ['supabase-key', 'sbp_', HEX, 40],
  ['supabase-key', 'sb_secret_', URL64, 20],
  ['neon-key', 'napi_', ALNUM, 40],
  ['planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', DOTTED, 30],
  ['doppler-token', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', DOTTED, 40],
  ['tailscale-key', 'tskey-', URL64, 20],
  ['grafana-token', 'glsa_ glc_', BASE64, 32],
  ['databricks-token', 'dapi', HEX, 32],
  ['sentry-token', 'sntrys_ sntryu_', BASE64, 40],
  ['new-relic-key', 'NRAK- NRJS- NRII-', URL64, 19],
  ['postman-key', 'PMAK-', URL64, 50],
  ['pulumi-token', 'pul-', HEX, 40],
  ['rubygems-key', 'rubygems_', HEX, 40],
  ['crates-io-token', 'cio', ALNUM, 32, 32],
  ['nuget-key', 'oy2', ALNUM, 43, 43],
  ['deno-token', 'ddp_ ddo_ ddw_', ALNUM, 36],
  ['buildkite-token', 'bkua_', HEX, 40],
  ['circleci-token', 'CCIPAT_ CCIPRJ_', WORD, 40],
  ['sonar-token', 'squ_ sqp_ sqa_', HEX, 40],
  ['artifactory-key', 'AKCp', ALNUM, 64],
  ['square-token', 'sq0atp- sq0csp-', URL64, 22],
  ['facebook-token', 'EAA', ALNUM, 90],
  ['atlassian-token', 'ATATT3 ATCTT3 ATBB', BASE64, 28],
  ['contentful-token', 'CFPAT-', URL64, 40],
  ['dynatrace-token', 'dt0c01. dt0s01.', DOTTED, 80],
  ['easypost-key', 'EZAK EZTK', ALNUM, 54],
  ['heroku-key', 'HRKU-', URL64, 30],
  ['prefect-key', 'pnu_ pnb_', ALNUM, 36],
  ['brevo-key', 'xkeysib-', URL64, 64],
  ['typeform-token', 'tfp_', DOTTED, 40],
  ['adafruit-key', 'aio_', ALNUM, 28, 28],
  ['alibaba-key', 'LTAI', ALNUM, 16, 24],
  ['infracost-key', 'ico-', ALNUM, 32, 32],
  ['dropbox-token', 'sl.', URL64, 100],
  ['mapbox-token', 'sk.eyJ', DOTTED, 60],
  ['mailgun-key', 'key-', HEX, 32, 32],
];

/** Random letters of one case never come alone in these formats: a digit, or both cases. */
const varied = (body: string): boolean => /[0-9]/.test(body) || (/[a-z]/.test(body) && /[A-Z]/.test(body));

/** A full stop or a dash after a token belongs to the sentence. */
const trimmed = (text: string, from: number, to: number): number => {
  let end = to;
  while (end > from && /[.-]/.test(text[end - 1] ?? '')) end--;
  return end;
};

const ruleOf = ([kind, prefixes, set, least, most = Infinity]: Row): Rule => ({
  anchors: prefixes.split(' '),
  match: (text, at, edge, prefix) => {
    if (!mayBegin(text, at, edge)) return undefined;
    const from = at + prefix.length;
    const scannedEnd = runEnd(text, from, set, from + JUDGED);
    const judged = trimmed(text, from, scannedEnd);
    const body = text.slice(from, judged);
    if (body.length < least || !varied(body) || isExample(body) || isExample(prefix + body)) return undefined;
    const end = scannedEnd - from < JUDGED ? judged : trimmed(text, from, runEnd(text, scannedEnd, set));
    return end - from > most ? undefined : { kind, start: at, end };
  },
});

/** Tokens recognised by their prefix. */
export const TOKEN_RULES: readonly Rule[] = ROWS.map(ruleOf);
