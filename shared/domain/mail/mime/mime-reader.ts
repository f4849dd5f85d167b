import PostalMime, { type Attachment, type Email } from 'postal-mime';
import { type Delimiter, delimiterAt, nextDelimiter } from '#shared/domain/mail/archives/delimiters.ts';
import { decodeText } from './charset.ts';
import { decodeWords } from './encoded-words.ts';
import { unflow } from './flowed.ts';
import { HeaderLines } from './header-lines.ts';
import { MAX_NESTING, MAX_PARTS, MAX_TEXT_READ } from './limits.ts';
import type { Internals, Node } from './mime-internals.ts';
import { decodeTransfer } from './transfer.ts';

/**
 * Extends postal-mime, which parses header fields and the tree of parts and tells which parts are text. Added are each
 * part byte for byte as it was sent, uncertain character sets, and bounds on the work that a message can cause. Beyond
 * a bound, only the beginning of a message is read.
 *
 * This depends on internals of its version 4.0.0 (`mime-internals.ts`). The property test of attachments and the tests
 * of limits fail when an update moves them.
 */
export async function readMime(
  raw: Uint8Array,
  { partial = false }: { partial?: boolean } = {},
): Promise<Mime> {
  return await new MimeReader(raw, partial).read();
}

/** postal-mime's values derived from header fields are not filled in. */
export interface Mime extends Email {
  attachments: MimeAttachment[];
  /** Whether part of the message was not read. */
  truncated: boolean;
}

export interface MimeAttachment extends Attachment {
  filename: string;
  contentId: string;
  /** Whether it is a part of a multipart/signed. */
  signed: boolean;
  /** As it was before transfer encoding. Shares memory with the message when there was none. */
  content: Uint8Array;
}

const Base = PostalMime as unknown as new (options: object) => Internals;

const NOTHING: Uint8Array = new Uint8Array();
const LF = 10;
const CR = 13;
const SPACE = 32;

type PassedDelimiter = Pick<Delimiter, 'line' | 'next'>;

class MimeReader extends Base {
  private readonly raw: Buffer;
  private readonly partial: boolean;
  private at = 0;
  private parts = 0;
  private truncated: boolean;
  /** The part in which the beginning of a message ends. */
  private cut: Node | undefined;
  private readonly headerLines = new HeaderLines();
  private readonly textRoom = { plain: MAX_TEXT_READ, html: MAX_TEXT_READ };
  private readonly files: MimeAttachment[] = [];
  private known = { count: 0, last: NOTHING, values: new Set<string>() };

  constructor(raw: Uint8Array, partial: boolean) {
    super({ maxNestingDepth: MAX_NESTING, maxHeadersSize: Number.MAX_SAFE_INTEGER });
    this.raw = Buffer.from(raw.buffer, raw.byteOffset, raw.length);
    this.forceRfc822Attachments = true;
    this.truncated = partial;
    this.partial = partial;
  }

  async read(): Promise<Mime> {
    while (this.at < this.raw.length) {
      const delimiter = this.currentNode.state === 'header' ? this.readHeader() : this.readContent();
      if (delimiter) await this.pass(delimiter);
    }
    if (this.partial) this.cut = this.currentNode;
    await this.finalize();
    partless(this.root).forEach(takeAsText);
    await this.collectNode(this.root, false, false);
    this.renderTextContent();
    const { plain = '', html = '' } = this.textContent;
    return {
      headers: this.root.headers,
      headerLines: this.root.rawHeaderLines,
      text: plain,
      html,
      attachments: this.files,
      truncated: this.truncated || this.headerLines.truncated,
    };
  }

  /** Up to the blank line at its end, or to the delimiter that interrupts it. */
  private readHeader(): PassedDelimiter | null {
    const node = this.currentNode;
    const boundaries = this.openBoundaries();
    while (node.state === 'header' && this.at < this.raw.length) {
      const delimiter = delimiterAt(this.raw, this.at, boundaries);
      if (delimiter) return delimiter;
      const line = this.nextLine();
      const read = line.length === 0 ? line : this.headerLines.take(line);
      if (read) node.feed(read);
    }
    if (node.state === 'body') this.keepContent(node);
    return null;
  }

  private nextLine(): Uint8Array {
    const start = this.at;
    const found = this.raw.indexOf(LF, start);
    this.at = found === -1 ? this.raw.length : found + 1;
    let end = found === -1 ? this.raw.length : found;
    while (end > start && this.raw[end - 1] === CR) end--;
    return this.raw.subarray(start, end);
  }

  /** The content of a part: all bytes up to the next delimiter. */
  private readContent(): PassedDelimiter | null {
    const delimiter = nextDelimiter(this.raw, this.at, this.openBoundaries());
    const content = this.raw.subarray(this.at, delimiter?.contentEnd ?? this.raw.length);
    if (this.currentNode.state === 'body') this.currentNode.contentDecoder?.update(content);
    this.at = this.raw.length;
    return delimiter;
  }

  /** Makes the parser close and open parts. */
  private async pass({ line, next }: PassedDelimiter): Promise<void> {
    this.at = next;
    try {
      await this.processLine(line, false);
    } catch {
      // The only possible error: deeper than `MAX_NESTING`.
      this.stop();
    }
    if (this.currentNode.state === 'header' && ++this.parts > MAX_PARTS) this.stop();
  }

  private stop(): void {
    this.truncated = true;
    this.at = this.raw.length;
  }

  /** Computed again only when a multipart was opened or closed. */
  private openBoundaries(): ReadonlySet<string> {
    const count = this.boundaries.length;
    const last = this.boundaries.at(-1)?.value ?? NOTHING;
    if (count !== this.known.count || last !== this.known.last) {
      // Blanks at the end of a boundary do not count (RFC 2046, 5.1.1), as at the end of a delimiter.
      for (const boundary of this.boundaries) boundary.value = withoutBlanks(boundary.value);
      const values = new Set(this.boundaries.map(({ value }) => Buffer.from(value).toString('latin1')));
      this.known = { count, last: this.boundaries.at(-1)?.value ?? NOTHING, values };
    }
    return this.known.values;
  }

  /** Replaces the parser's decoders, which take lines and lose their line ends. */
  private keepContent(node: Node): void {
    let sent: Uint8Array | null = null;
    node.contentDecoder = {
      // The epilogue of a multipart belongs to no part.
      update: (bytes) => {
        sent ??= new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      },
      finalize: async () => decodeTransfer(sent ?? NOTHING, node.contentTransferEncoding.encoding),
    };
    node.getTextContent = () => this.textOf(node);
  }

  private textOf({ content, contentType: { parsed } }: Node): string {
    const isHtml = parsed.value === 'text/html';
    const bytes = this.withinBounds(content ?? NOTHING, isHtml ? 'html' : 'plain');
    if (bytes.length === 0) return '';
    const text = decodeText(bytes, parsed.params.charset);
    const isFlowed = !isHtml && /^flowed$/i.test(parsed.params.format ?? '');
    // A text ends with its line, also when another one follows.
    return `${isFlowed ? unflow(text, /^yes$/i.test(parsed.params.delsp ?? '')) : text}\n`;
  }

  /** As much as may still be decoded of this type, without a partial UTF-8 character at the end. */
  private withinBounds(bytes: Uint8Array, type: 'plain' | 'html'): Uint8Array {
    const room = this.textRoom[type];
    this.textRoom[type] = Math.max(0, room - bytes.length);
    if (bytes.length <= room) return bytes;
    this.truncated = true;
    let end = room;
    while (end > room - 4 && (bytes[end]! & 0xc0) === 0x80) end--;
    return bytes.subarray(0, Math.max(0, end));
  }

  override collectAttachment(node: Node, content: Uint8Array | ArrayBuffer): void {
    if (node === this.cut) return;
    const { parsed: type } = node.contentType;
    const { parsed: disposition } = node.contentDisposition;
    this.files.push({
      filename: decodeWords(disposition.params.filename || type.params.name || ''),
      mimeType: type.value,
      disposition: disposition.value === '' ? null : (disposition.value as 'attachment' | 'inline'),
      contentId: node.contentId ?? '',
      signed: node.parentNode?.contentType.multipart === 'signed',
      // A part that ends within its header has no content here.
      content: content instanceof Uint8Array ? content : NOTHING,
    });
  }
}

function withoutBlanks(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (bytes[end - 1] === SPACE) end--;
  return end === bytes.length ? bytes : bytes.subarray(0, end);
}

/** Multiparts without parts: no boundary is named, or it never appears. */
function partless(node: Node): Node[] {
  if (node.contentType.multipart && node.childNodes.length === 0) return [node];
  return node.childNodes.flatMap(partless);
}

function takeAsText(node: Node): void {
  node.contentType.multipart = false;
  node.contentType.parsed = { value: 'text/plain', params: {} };
}
