/** The pages behind the link that ends mail about notifications. They load nothing and say nothing of the user. */

export const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

const page = (title: string, content: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><title>${title}</title>
<style>body{margin:15vh auto 0;max-width:28rem;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif}button{font:inherit;padding:.75rem 1.25rem;border:0;border-radius:.5rem;background:#1f4fd8;color:#fff}</style></head>
<body><main><h1>${title}</h1>
${content}
</main></body></html>
`;

/** Without an action, the form goes to the address of the page. */
export const askingPage = page(
  'Mail about notifications',
  `<p>Do you want no more mail about notifications? They stay in the app.</p>
<form method="post"><button name="List-Unsubscribe" value="One-Click">End this mail</button></form>`,
);

export const donePage = page(
  'No more mail about notifications',
  '<p>You get no more of it. In your settings you can turn it on again, for each event.</p>',
);
