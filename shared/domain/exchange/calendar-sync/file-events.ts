import { createHash } from 'node:crypto';
import type { Resource } from '#shared/domain/calendar/servers/server.ts';

/**
 * A file of iCalendar as resources, of which each is an event, or a series with its exceptions. Who is invited is left
 * out: whoever writes the file would put events into the calendars of colleagues.
 */

const HEAD = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n';
const END = 'END:VCALENDAR\r\n';

const PEOPLE = /^(?:ATTENDEE|ORGANIZER)[;:]/i;
/** When the server wrote the file: others say whether the event is another one. */
const STAMP = /^DTSTAMP[;:]/i;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Folded lines as one (RFC 5545, 3.1). */
function* linesOf(text: string): Generator<string> {
  let line: string | undefined;
  for (const part of text.split(/\r\n|\n|\r/))
    if (/^[ \t]/.test(part)) line = `${line ?? ''}\r\n${part}`;
    else {
      if (line !== undefined) yield line;
      line = part;
    }
  if (line !== undefined) yield line;
}

const unfoldedValue = (line: string) =>
  line
    .replace(/\r\n[ \t]/g, '')
    .replace(/^[^:]*:/, '')
    .trim();

interface Component {
  name: string;
  lines: string[];
}

/** Of one without an end. */
const ended = ({ name, lines }: Component): Component => ({ name, lines: [...lines, `END:${name}`] });

/** The components of its calendars, each with those inside it. */
function* componentsOf(text: string): Generator<Component> {
  let open: (Component & { inside: number }) | undefined;
  for (const line of linesOf(text)) {
    const [, side, name = ''] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(line) ?? [];
    const begins = side?.toUpperCase() === 'BEGIN';
    const kind = name.toUpperCase();
    if (open && ((begins && kind === 'VEVENT') || kind === 'VCALENDAR')) {
      yield ended(open);
      open = undefined;
    }
    if (!open) {
      if (begins && kind !== 'VCALENDAR') open = { name: kind, lines: [line], inside: 1 };
      continue;
    }
    open.lines.push(line);
    if (side !== undefined) open.inside += begins ? 1 : -1;
    if (open.inside > 0) continue;
    yield open;
    open = undefined;
  }
}

export class FileEvents {
  readonly #zones: string;
  /** By the address of a resource. */
  readonly #events = new Map<string, string[]>();

  constructor(text: string) {
    const zones: string[] = [];
    for (const { name, lines } of componentsOf(text)) {
      if (name === 'VTIMEZONE') zones.push(...lines);
      if (name === 'VEVENT') this.#add(lines.filter((line) => !PEOPLE.test(line)));
    }
    this.#zones = zones.map((line) => `${line}\r\n`).join('');
  }

  #add(lines: string[]): void {
    const named = lines.find((line) => /^UID[;:]/i.test(line));
    // One without an id is reported as such.
    const url = `event:${hashOf(named === undefined ? lines.join('\n') : unfoldedValue(named))}`;
    const known = this.#events.get(url) ?? [];
    this.#events.set(url, [...known, ...lines]);
  }

  resources(): Resource[] {
    const zones = hashOf(this.#zones);
    return [...this.#events].map(([url, lines]) => ({
      url,
      etag: hashOf(`${zones}\n${lines.filter((line) => !STAMP.test(line)).join('\n')}`),
    }));
  }

  /** As a calendar of its own. */
  textOf(url: string): string | undefined {
    const lines = this.#events.get(url);
    return lines && `${HEAD}${this.#zones}${lines.map((line) => `${line}\r\n`).join('')}${END}`;
  }
}
