import type { Letter, OutgoingMail, Part } from './mail.ts';
import { escapeHtml, plain } from './plain.ts';

/** The one place that writes mail as text and as HTML, so that no kind of mail can forget to escape. */

/** Longest subject, paragraph and line of a list, in characters. */
const SUBJECT = 150;
const PARAGRAPH = 1_000;
const LINE = 200;

/** Only addresses of the web, in their normal form: it has no white space and no quotation marks. */
function webAddress(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error(`A link in mail begins with ${protocol}`);
  return href;
}

function textOf(part: Part): string {
  if ('paragraph' in part) return plain(part.paragraph, PARAGRAPH);
  if ('code' in part) return part.code;
  if ('link' in part) return `${plain(part.link.label, LINE)}:\n${webAddress(part.link.url)}`;
  return part.list.map((each) => `- ${plain(each, LINE)}`).join('\n');
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CODE =
  'font:600 32px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;margin:0 0 16px;text-align:center';
const BUTTON = `display:inline-block;padding:12px 20px;border-radius:8px;background:#1f4fd8;color:#ffffff;text-decoration:none;${FONT}`;

function htmlOf(part: Part): string {
  if ('paragraph' in part)
    return `<p style="margin:0 0 16px">${escapeHtml(plain(part.paragraph, PARAGRAPH))}</p>`;
  if ('code' in part) return `<p style="${CODE}">${escapeHtml(part.code)}</p>`;
  if ('link' in part) {
    const { url, label } = part.link;
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(webAddress(url))}" style="${BUTTON}">${escapeHtml(plain(label, LINE))}</a></p>`;
  }
  const lines = part.list.map((each) => `<li>${escapeHtml(plain(each, LINE))}</li>`);
  return `<ul style="margin:0 0 16px;padding-left:20px">${lines.join('')}</ul>`;
}

/** One column that fits a phone, without images, and with colours that a dark mode may turn round. */
function page(title: string, parts: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="margin:0;padding:24px 16px"><div style="max-width:480px;margin:0 auto;font-size:16px;line-height:1.5;${FONT}">
${parts}
</div></body></html>
`;
}

export function render({ to, subject, parts }: OutgoingMail): Omit<Letter, 'id'> {
  const title = plain(subject, SUBJECT);
  return {
    to,
    subject: title,
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: page(escapeHtml(title), parts.map(htmlOf).join('\n')),
  };
}
