/** The one layout of all pages. Addresses are relative, so pages also work below a stage's path. */

export interface Link {
  href: string;
  title: string;
}

export interface Page {
  title: string;
  /** Where the assets are, seen from this page: `docs/` from /docs, empty from /docs/errors. */
  assets: string;
  /** The navigation, with the current page's own address. */
  links: Link[];
  current: string;
  /** HTML at the end of the header. */
  tools?: string;
  body: string;
  styles?: string[];
  scripts?: string[];
}

export const SERVICE = 'Workspace API';

export function layout({
  title,
  assets,
  links,
  current,
  tools = '',
  body,
  styles = [],
  scripts = [],
}: Page): string {
  const navigation = links.map(
    ({ href, title }) => `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${title}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title === SERVICE ? title : `${title} - ${SERVICE}`}</title>
<link rel="icon" href="data:,">
${[...styles, 'docs.css'].map((file) => `<link rel="stylesheet" href="${assets}${file}">`).join('\n')}
<script src="${assets}page.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip the navigation</a>
<header>
<strong>${SERVICE}</strong>
<nav aria-label="Pages">
${navigation.join('\n')}
</nav>
${tools}</header>
<main id="content">
${body}</main>
${scripts.map((file) => `<script src="${assets}${file}"></script>\n`).join('')}</body>
</html>
`;
}
