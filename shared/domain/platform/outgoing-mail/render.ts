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

type Note = Extract<Part, { note: string }>;
type Line = Extract<Part, { list: unknown[] }>['list'][number];

function lineText(line: Line): string {
  if (typeof line === 'string') return `- ${plain(line, LINE)}`;
  return `- ${plain(line.text, LINE)}${line.url === undefined ? '' : `\n  ${webAddress(line.url)}`}`;
}

function noteText({ note, link }: Note): string {
  const said = plain(note, PARAGRAPH);
  return link ? `${said}\n${textOf({ link })}` : said;
}

function textOf(part: Part): string {
  if ('paragraph' in part) return plain(part.paragraph, PARAGRAPH);
  if ('code' in part) return part.code;
  if ('note' in part) return noteText(part);
  if ('link' in part) return `${plain(part.link.label, LINE)}:\n${webAddress(part.link.url)}`;
  return part.list.map(lineText).join('\n');
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CODE =
  'font:600 32px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;margin:0 0 16px;text-align:center';
const BUTTON = `display:inline-block;padding:12px 20px;border-radius:8px;background:#1f4fd8;color:#ffffff;text-decoration:none;${FONT}`;

const anchor = (url: string, label: string, style: string) =>
  `<a href="${escapeHtml(webAddress(url))}" style="${style}">${escapeHtml(plain(label, LINE))}</a>`;

function lineHtml(line: Line): string {
  const { text, url } = typeof line === 'string' ? { text: line, url: undefined } : line;
  return `<li>${url === undefined ? escapeHtml(plain(text, LINE)) : anchor(url, text, 'color:inherit')}</li>`;
}

function noteHtml({ note, link }: Note): string {
  const said = escapeHtml(plain(note, PARAGRAPH));
  return `<p style="${NOTE}">${said}${link ? ` ${anchor(link.url, link.label, 'color:inherit')}` : ''}</p>`;
}

function htmlOf(part: Part): string {
  if ('paragraph' in part)
    return `<p style="margin:0 0 16px">${escapeHtml(plain(part.paragraph, PARAGRAPH))}</p>`;
  if ('code' in part) return `<p style="${CODE}">${escapeHtml(part.code)}</p>`;
  if ('note' in part) return noteHtml(part);
  if ('link' in part)
    return `<p style="margin:0 0 16px">${anchor(part.link.url, part.link.label, BUTTON)}</p>`;
  return `<ul style="margin:0 0 16px;padding-left:20px">${part.list.map(lineHtml).join('')}</ul>`;
}

const NOTE = 'margin:32px 0 0;font-size:13px;opacity:0.75';

/** One column that fits a phone, without images, and with colours that a dark mode may turn round. */
function page(title: string, parts: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="margin:0;padding:24px 16px"><div style="max-width:480px;margin:0 auto;font-size:16px;line-height:1.5;${FONT}">
${parts}
</div></body></html>
`;
}

export function render({ to, subject, parts, unsubscribe_url }: OutgoingMail): Omit<Letter, 'id'> {
  const title = plain(subject, SUBJECT);
  return {
    to,
    subject: title,
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: page(escapeHtml(title), parts.map(htmlOf).join('\n')),
    unsubscribe_url: unsubscribe_url === undefined ? undefined : webAddress(unsubscribe_url),
  };
}
