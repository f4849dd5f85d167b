import { createHash } from 'node:crypto';
import type { Resource } from '#shared/domain/calendar/servers/server.ts';
import { MAX_EVENTS } from './read-resource.ts';

/**
 * A file of iCalendar as resources, of which each is an event, or a series with its exceptions. Who is invited is left
 * out: whoever writes the file would put events into the calendars of colleagues.
 */

const HEAD = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n';
const END = 'END:VCALENDAR\r\n';

const PEOPLE = /^(?:ATTENDEE|ORGANIZER)[;:]/i;
/** When the server wrote the file: others say whether the event is another one. */
const STAMP = /^DTSTAMP[;:]/i;

/** Characters of its time zones: each event is read with all of them. More say nothing. */
const MAX_ZONES = 512 * 1024;

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * Lines without their folds (RFC 5545, 3.1): what is looked at is what is read. One that begins with a space would go on
 * from another one.
 */
function* linesOf(text: string): Generator<string> {
  let line = '';
  for (const part of [...text.split(/[\r\n]+/), ''])
    if (/^[ \t]/.test(part)) line += part.slice(1);
    else {
      if (/^[^ \t]/.test(line)) yield line;
      line = part;
    }
}

const uidIn = (line: string) => line.replace(/^[^:]*:/, '').trim();

const textOf = (lines: string[]) => lines.map((line) => `${line}\r\n`).join('');

interface Component {
  name: string;
  lines: string[];
}

interface FileEvent {
  lines: string[];
  /** With its exceptions. */
  count: number;
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
  readonly #events = new Map<string, FileEvent>();

  constructor(text: string) {
    let zones = '';
    for (const { name, lines } of componentsOf(text)) {
      const zone = name === 'VTIMEZONE' ? textOf(lines) : '';
      if (zones.length + zone.length <= MAX_ZONES) zones += zone;
      if (name === 'VEVENT') this.#add(lines.filter((line) => !PEOPLE.test(line)));
    }
    this.#zones = zones;
  }

  #add(lines: string[]): void {
    const named = lines.find((line) => /^UID[;:]/i.test(line));
    // One without an id is reported as such.
    const url = `event:${hashOf(named === undefined ? lines.join('\n') : uidIn(named))}`;
    const known = this.#events.get(url) ?? { lines: [], count: 0 };
    this.#events.set(url, known);
    // One more than can be read is enough to have it refused.
    if (known.count > MAX_EVENTS) return;
    known.count++;
    for (const line of lines) known.lines.push(line);
  }

  resources(): Resource[] {
    const zones = hashOf(this.#zones);
    return [...this.#events].map(([url, { lines }]) => ({
      url,
      etag: hashOf(`${zones}\n${lines.filter((line) => !STAMP.test(line)).join('\n')}`),
    }));
  }

  /** As a calendar of its own. */
  textOf(url: string): string | undefined {
    const found = this.#events.get(url);
    return found && `${HEAD}${this.#zones}${textOf(found.lines)}${END}`;
  }
}
