import { attribution, headerBlock } from './attribution.ts';
import type { Client, Draft } from './draft.ts';
import { escapeHtml } from './markup.ts';

/** How the HTML of a mail program looks. */
interface Look {
  /** What the program says about itself in the headers. */
  headers: Readonly<Record<string, string>>;
  gap: string;
  paragraph(html: string): string;
  signature(lines: readonly string[], logo: string): string;
  quote(quoted: Draft, inner: string, by: Draft): string;
  page(inner: string): string;
}

const lined = (lines: readonly string[]) => lines.map(escapeHtml).join('<br>');
const under = (logo: string) => (logo ? `<br>${logo}` : '');

function linked(line: string): string {
  return escapeHtml(line).replace(/&lt;([^\s&]+@[^\s&]+)&gt;/g, '&lt;<a href="mailto:$1">$1</a>&gt;');
}

function headersHtml(quoted: Draft, by: Draft): string {
  return headerBlock(quoted, by)
    .map((line) => `<b>${line.label}:</b> ${linked(line.value)}`)
    .join('<br>\n');
}

const gmail: Look = {
  headers: {},
  gap: '<div><br></div>',
  paragraph: (html) => `<div>${html}</div>`,
  signature: (lines, logo) =>
    `<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" ` +
    `class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr">${lined(lines)}${under(logo)}</div></div>`,
  quote: (quoted, inner, by) => {
    const quote = '<div class="gmail_quote gmail_quote_container">';
    if (by.link === 'forward') {
      const lines = headerBlock(quoted, by).map(
        (line) => `${line.label.replace('Sent', 'Date')}: ${linked(line.value)}`,
      );
      return `<br>${quote}<div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>${lines.join('<br>')}<br></div><br><br>${inner}</div>`;
    }
    const dir = by.from.lang === 'ar' ? 'rtl' : 'ltr';
    return (
      `<br>${quote}<div dir="${dir}" class="gmail_attr">${linked(attribution(quoted, by))}<br></div>` +
      `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${inner}</blockquote></div>`
    );
  },
  page: (inner) =>
    `<div dir="${/[\u0600-\u06ff]/.test(inner.slice(0, 60)) ? 'rtl' : 'ltr'}">${inner}</div>\n`,
};

const word = '<p class="MsoNormal">';

const outlook: Look = {
  headers: { 'X-Mailer': 'Microsoft Outlook 16.0' },
  gap: `\n${word}<o:p>&nbsp;</o:p></p>`,
  paragraph: (html) => `${word}${html}<o:p></o:p></p>`,
  signature: ([name = '', ...lines], logo) =>
    `${word}<o:p>&nbsp;</o:p></p>\n${word}<b><span style="font-size:10.0pt;font-family:&quot;Arial&quot;,sans-serif;color:#1F3864">` +
    `${escapeHtml(name)}</span></b><span style="font-size:9.0pt;color:#595959"><br>${lined(lines)}</span>${under(logo)}<o:p></o:p></p>`,
  quote: (quoted, inner, by) =>
    `\n${word}<o:p>&nbsp;</o:p></p>\n<div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">` +
    `${word}<span lang="EN-US">${headersHtml(quoted, by)}<o:p></o:p></span></p></div></div>\n${word}<o:p>&nbsp;</o:p></p>\n${inner}`,
  page: (
    inner,
  ) => `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">
<head>
<meta name="Generator" content="Microsoft Word 15 (filtered medium)">
<style><!--
/* Font Definitions */
@font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;}
/* Style Definitions */
p.MsoNormal, li.MsoNormal, div.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif;}
div.WordSection1 {page:WordSection1;}
--></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]-->
</head>
<body lang="EN-GB" link="#0563C1" vlink="#954F72" style="word-wrap:break-word"><div class="WordSection1">${inner}</div></body></html>
`,
};

const aptos =
  'style="font-family: Aptos, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);"';

const outlookWeb: Look = {
  headers: { 'X-Originating-IP': '[192.0.2.24]' },
  gap: `<div class="elementToProof" ${aptos}><br></div>`,
  paragraph: (html) => `<div class="elementToProof" ${aptos}>${html}</div>`,
  signature: (lines, logo) =>
    `<div class="elementToProof" ${aptos}><br></div><div id="Signature"><p style="margin:0">${lined(lines)}${under(logo)}</p></div>`,
  quote: (quoted, inner, by) =>
    `<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">` +
    `<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">` +
    `${headersHtml(quoted, by)}</font><div>&nbsp;</div></div><div>${inner}</div>`,
  page: (inner) =>
    '<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><style type="text/css" style="display:none;">' +
    `P {margin-top:0;margin-bottom:0;}</style></head><body dir="ltr">${inner}</body></html>\n`,
};

const apple: Look = {
  headers: { 'X-Mailer': 'Apple Mail (2.3826.300.87)' },
  gap: '<div><br></div>',
  paragraph: (html) => `<div>${html}</div>`,
  signature: (lines, logo) =>
    `<div><br></div><div><div dir="auto" style="caret-color: rgb(0, 0, 0);">${lined(lines)}${under(logo)}</div></div>`,
  quote: (quoted, inner, by) =>
    `<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>${linked(attribution(quoted, by))}</div>` +
    `<br class="Apple-interchange-newline"><div>${inner}</div></blockquote></div><br>`,
  page: (inner) =>
    '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; ' +
    `-webkit-nbsp-mode: space; line-break: after-white-space;">${inner}</body></html>\n`,
};

const thunderbird: Look = {
  headers: { 'User-Agent': 'Mozilla Thunderbird' },
  gap: '',
  paragraph: (html) => `<p>${html}</p>`,
  signature: (lines, logo) => `<div class="moz-signature">-- <br>${lined(lines)}${under(logo)}</div>`,
  quote: (quoted, inner, by) =>
    `<div class="moz-cite-prefix">${linked(attribution(quoted, by))}<br></div>\n` +
    `<blockquote type="cite" cite="mid:${quoted.id}">${inner}</blockquote>`,
  page: (inner) =>
    '<!DOCTYPE html>\n<html><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"></head>\n' +
    `<body>${inner}</body></html>\n`,
};

const yahooFont =
  'style="font-family:\'Helvetica Neue\', Helvetica, Arial, sans-serif;font-size:13px;color:#26282a;"';

const yahoo: Look = {
  headers: { 'X-Mailer': 'WebService/1.1.22806 YMailNorrin' },
  gap: '<div dir="ltr" data-setdir="false"><br></div>',
  paragraph: (html) => `<div dir="ltr" data-setdir="false">${html}</div>`,
  signature: (lines) => `<div><br></div><div class="ydp7c1f2a30signature"><div>${lined(lines)}</div></div>`,
  quote: (quoted, inner, by) =>
    `<div><br></div><div id="yahoo_quoted_6120447318" class="yahoo_quoted"><div ${yahooFont}>` +
    `<div>${linked(attribution(quoted, by))}</div><div><br></div><div><br></div><div>${inner}</div></div></div>`,
  page: (inner) =>
    '<html><head></head><body><div class="ydp7c1f2a30yahoo-style-wrap" style="font-family:Helvetica Neue, Helvetica, Arial, ' +
    `sans-serif;font-size:16px;">${inner}</div></body></html>\n`,
};

const arial = 'style="font-family: Arial, sans-serif; font-size: 14px;"';

const proton: Look = {
  headers: {},
  gap: `<div ${arial}><br></div>`,
  paragraph: (html) => `<div ${arial}>${html}</div>`,
  signature: (lines) =>
    `<div ${arial}><br></div><div class="protonmail_signature_block" ${arial}><div class="protonmail_signature_block-user">` +
    `${lined(lines)}</div><div><br></div><div class="protonmail_signature_block-proton">Sent with Proton Mail secure email.</div></div>`,
  quote: (quoted, inner, by) =>
    `<div ${arial}><br></div><div class="protonmail_quote">${linked(attribution(quoted, by))}<br><br>` +
    `<blockquote class="protonmail_quote" type="cite">${inner}</blockquote><br></div>`,
  page: (inner) => inner,
};

export const looks: Record<Exclude<Client, 'plain'>, Look> = {
  gmail,
  outlook,
  'outlook-web': outlookWeb,
  apple,
  thunderbird,
  yahoo,
  proton,
};
