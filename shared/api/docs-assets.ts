/** The files of the documentation by the name that `GET /docs/{asset}` serves them under; infra/docs makes them. */

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const style = 'text/css; charset=utf-8';

interface DocsAsset {
  file: string;
  content_type: string;
}

const page = (name: string): DocsAsset => ({ file: `${name}.html`, content_type: html });

export const docsAssets = new Map<string, DocsAsset>([
  ...['assistant', 'errors', 'idempotency', 'integrations', 'live-updates', 'pagination', 'rate-limits'].map(
    (name) => [name, page(name)] as const,
  ),
  ...['app.js', 'init.js', 'page.js', 'resolve.js', 'swagger-ui-bundle.js'].map(
    (file) => [file, { file, content_type: script }] as const,
  ),
  ...['app.css', 'docs.css', 'mail.css', 'swagger-ui.css'].map(
    (file) => [file, { file, content_type: style }] as const,
  ),
]);

export const DOCS_PAGE = 'docs.html';

/** Everything loads from the API itself. */
function policy(styles: string, more: string[] = [], connect = "'self'"): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...more,
  ].join('; ');
}

const headersFor = (...parts: Parameters<typeof policy>) => ({
  'Content-Security-Policy': policy(...parts),
  'Referrer-Policy': 'no-referrer',
});

/** Swagger UI writes styles into the page. */
export const referenceHeaders = headersFor("'self' 'unsafe-inline'");
export const guideHeaders = headersFor("'self'");

export const APP_PAGE = 'app.html';

/**
 * Of the page at /app, which shows what strangers write: no text of the API becomes HTML, except the mail that
 * `infra/app/browser/mail-frame.ts` puts into a frame (https://www.w3.org/TR/trusted-types/).
 */
const TRUSTED = ["require-trusted-types-for 'script'", 'trusted-types mail'];
export const appHeaders = headersFor("'self'", TRUSTED);

/** The same where live updates come from another host, as those of API Gateway do. */
export const appHeadersWith = (socket_url: string) =>
  headersFor("'self'", TRUSTED, `'self' ${new URL(socket_url).origin}`);
