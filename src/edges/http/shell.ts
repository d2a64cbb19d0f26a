/** The mark of a holdfast: three roots under a stem. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0f5c55"/><path d="M16 5v12M16 17c0 5-4 6-8 10M16 17c0 5 4 6 8 10M16 17v10" fill="none" stroke="#d9f2e6" stroke-width="3" stroke-linecap="round"/></svg>';

/** The one document of the page; everything in it is drawn by its script. */
export const shellWith = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Holdfast</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/view.css" nonce="${nonce}">
<script type="module" src="/view.js" nonce="${nonce}"></script>
</head>
<body>
<div id="page"></div>
<noscript>This page shows your memory with its own script. Switch scripts on, or use <code>holdfast search</code> and <code>holdfast inbox</code> in a terminal.</noscript>
</body>
</html>
`;
