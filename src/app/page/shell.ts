/** The mark of a holdfast: three roots under a stem. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f5c55"/><path d="M16 5v12M16 17c0 5-4 6-8 10M16 17c0 5 4 6 8 10M16 17v10" fill="none" stroke="#d9f2e6" stroke-width="3" stroke-linecap="round"/></svg>';

/** The parts that differ between a home's page and a team's page. None of them is user input. */
export interface PageShell {
  readonly script: string;
  /** Attributes that tell the script what the server offers. */
  readonly about: string;
  readonly noScript: string;
}

/** The HTML document of a page; its script renders the content. */
export const shellWith = (nonce: string, { script, about, noScript }: PageShell): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Holdfast</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/view.css" nonce="${nonce}">
<script type="module" src="${script}" nonce="${nonce}"></script>
</head>
<body>
<div id="page"${about}></div>
<noscript>${noScript}</noscript>
</body>
</html>
`;

/** Allows only scripts and styles with this response's nonce, no framing, and no requests to other origins. */
export const policyWith = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "script-src-attr 'none'",
    `style-src 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');

export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
