import { htmlLines } from '#shared/domain/platform/html/lines.ts';
import { attributesOf, htmlTokens } from '#shared/domain/platform/html/tokens.ts';
import { cidImages, contentIdKey } from './cid.ts';
import { imageSize } from './image-size.ts';
import { MAX_ATTACHMENT_NAMES, MAX_ATTACHMENTS } from './limits.ts';
import type { ParsedAttachment, ParsedBody, ParsedMessage } from './message.ts';
import type { MimeAttachment } from './mime-reader.ts';
import { isMailSignature } from './signatures.ts';
import { storable } from './text.ts';

type Attachments = Pick<ParsedMessage, 'attachments' | 'attachments_omitted'>;

/**
 * The first attachments of a message, with what the body tells about the images among them, and the number of omitted
 * ones.
 */
export function parsedAttachments(sent: readonly MimeAttachment[], body: ParsedBody): Attachments {
  const shown = shownImages(body);
  const attachments: ParsedAttachment[] = [];
  let names = 0;
  for (const attachment of sent.slice(0, MAX_ATTACHMENTS)) {
    const parsed = parsedAttachment(attachment, shown);
    names += Buffer.byteLength(`${parsed.file_name}${parsed.content_type}${parsed.content_id ?? ''}`);
    if (names > MAX_ATTACHMENT_NAMES) break;
    attachments.push(parsed);
  }
  return { attachments, attachments_omitted: sent.length - attachments.length };
}

function parsedAttachment(attachment: MimeAttachment, shown: Map<string, Shown[]>): ParsedAttachment {
  const { content } = attachment;
  const content_type = typeOf(attachment.mimeType);
  const content_id = storable(attachment.contentId).trim().replace(/^<|>$/g, '').slice(0, 512) || null;
  const shows = content_id === null ? [] : (shown.get(contentIdKey(content_id)) ?? []);
  const isImage = content_type.startsWith('image/');
  const file_name = safeFileName(attachment.filename, content_type);
  return {
    file_name,
    content_type,
    size: content.length,
    inline: shows.length > 0 || (isImage && attachment.disposition === 'inline'),
    content_id,
    decorative: isImage
      ? isDecorative(content, shows)
      : isMailSignature(content_type, file_name, attachment.signed),
    content,
  };
}

const TYPE = /^[a-z0-9][\w!#$&^.+-]{0,63}\/[a-z0-9][\w!#$&^.+-]{0,100}$/;

function typeOf(mimeType: string): string {
  const type = mimeType.trim().toLowerCase();
  return TYPE.test(type) ? type : 'application/octet-stream';
}

const EXTENSIONS: Record<string, string> = {
  'application/pdf': 'pdf',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/html': 'html',
  'text/plain': 'txt',
};
const MAX_NAME = 255;

/** The last path segment without disguising characters; `attachment` with an extension when nothing is left. */
export function safeFileName(name: string, contentType: string): string {
  // Format characters include those that change the writing direction, by which fdp.exe can look like exe.pdf.
  const clean = storable(name).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
  const base = clean.slice(Math.max(clean.lastIndexOf('/'), clean.lastIndexOf('\\')) + 1).trim();
  if (/^[.\s]*$/.test(base)) {
    const extension = EXTENSIONS[contentType];
    return extension ? `attachment.${extension}` : 'attachment';
  }
  if (base.length <= MAX_NAME) return base;
  const dot = base.lastIndexOf('.');
  const extension = dot > 0 && base.length - dot <= 20 ? base.slice(dot) : '';
  return (
    base
      .slice(0, MAX_NAME - extension.length)
      .toWellFormed()
      .replace(/\uFFFD$/, '') + extension
  );
}

/** One place where the body shows an image. */
interface Shown {
  where: 'new' | 'signature' | 'quoted';
  width: number | null;
  height: number | null;
}

function shownImages(body: ParsedBody): Map<string, Shown[]> {
  const shown = new Map<string, Shown[]>();
  const collect = (html: string | null, place: (start: number) => Shown['where']) => {
    for (const { keys, start, attributes } of cidImages(html ?? '')) {
      const pixels = (name: string) => {
        const value = attributes.find((attribute) => attribute.name === name)?.value ?? '';
        return /^\d{1,5}(?:px)?$/.test(value.trim()) ? Number.parseInt(value, 10) : null;
      };
      const where = { where: place(start), width: pixels('width'), height: pixels('height') };
      for (const key of new Set(keys)) listAt(shown, key).push(where);
    }
  };
  const signature = signatureStart(body.new_html ?? '');
  collect(body.new_html, (start) => (start >= signature ? 'signature' : 'new'));
  collect(body.quoted_html, () => 'quoted');
  return shown;
}

function listAt(shown: Map<string, Shown[]>, key: string): Shown[] {
  const list = shown.get(key) ?? [];
  shown.set(key, list);
  return list;
}

const SIGNATURE = new Set([
  'gmail_signature',
  'moz-signature',
  'Signature',
  'protonmail_signature_block',
  'ms-outlook-mobile-signature',
  'AppleMailSignature',
]);

/** The offset in sanitized HTML where the signature begins, by an element or a line `-- `; Infinity without one. */
function signatureStart(html: string): number {
  const line = htmlLines(html).find(({ text }) => text === '--' || text === '—');
  for (const token of htmlTokens(html)) {
    if (line && token.start >= line.start) break;
    if (token.kind !== 'open') continue;
    const classes =
      attributesOf(html, token)
        .find(({ name }) => name === 'class')
        ?.value.split(' ') ?? [];
    if (classes.some((name) => SIGNATURE.has(name))) return token.start;
  }
  return line?.start ?? Number.POSITIVE_INFINITY;
}

const PIXEL = 3;
const LOGO_HEIGHT = 50;
const LOGO_BYTES = 10_000;

/**
 * Whether an image carries nothing that a reader would look for as a file:
 * - a tracking pixel: at most 3 pixels each way, by the HTML or by itself;
 * - only in quoted earlier messages;
 * - in the signature of the new text;
 * - of the size of a logo or icon: shown in the text, at most 50 pixels high and 10 kB.
 */
function isDecorative(image: Uint8Array, shows: readonly Shown[]): boolean {
  const own = imageSize(image);
  if (own && own.width <= PIXEL && own.height <= PIXEL) return true;
  if (shows.length === 0) return false;
  if (shows.every(({ where }) => where === 'quoted') || shows.every(({ where }) => where !== 'new'))
    return true;
  return shows.every(({ width, height }) => {
    const high = height ?? own?.height ?? Number.POSITIVE_INFINITY;
    const wide = width ?? own?.width ?? Number.POSITIVE_INFINITY;
    return (high <= PIXEL && wide <= PIXEL) || (high <= LOGO_HEIGHT && image.length <= LOGO_BYTES);
  });
}
