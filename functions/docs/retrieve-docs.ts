import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';

/** Scripts and styles load from the API itself only; Swagger UI needs the style rule. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

// Addresses are relative to /docs, so the page also works below a stage's path.
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Workspace API</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/init.js"></script>
  </body>
</html>
`;

export const retrieveDocs = route('retrieveDocs', {
  method: 'GET',
  path: '/docs',
  access: 'public',
  summary: 'Show the documentation',
  description: 'A page to read about the operations and to try them.',
  returns: {
    200: {
      content_type: 'text/html; charset=utf-8',
      description: 'The documentation page',
      headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' },
    },
  },
  uses: [],
});

export const handler = handle(retrieveDocs, () => page);
