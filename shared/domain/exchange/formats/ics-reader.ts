import { decodeLatin, type Encoding } from './encoding.ts';
import { linesFrom, unfolded } from './lines.ts';
import type { ByteSource } from './source.ts';
import { zoneOf } from './time-zones.ts';
import { zoneOfRules } from './vtimezone-reader.ts';

/**
 * Divides a file of iCalendar into events, with the place where each ends, in constant memory. What the service does not
 * keep is left out while it is read: an attachment has megabytes.
 */

/** Bytes of an event, or of a time zone. */
const MAX_COMPONENT = 256 * 1024;

/** Time zones of a calendar whose names say nothing. */
const MAX_ZONES = 50;
const MAX_NAME = 255;

/** What a calendar says of all its events. */
export interface CalendarHead {
  /** METHOD:CANCEL. */
  cancels: boolean;
  /** Time zones by their names, where only their rules tell them. */
  zones: Record<string, string>;
}

export const noHead: CalendarHead = { cancels: false, zones: {} };

export type EventEntry = { next: number; head: CalendarHead } & (
  | { event: string }
  | { failure: 'row_too_large' }
);

const KEPT_EXTENSIONS = /^X-(?:ALT-DESC|LIC-LOCATION|GOOGLE-CONFERENCE|MICROSOFT-SKYPETEAMSMEETINGURL)[;:]/i;
const LEFT_OUT = /^(?:ATTACH|IMAGE|COMMENT|X-[\w-]+)[;:]/i;

/** A component without those inside it, of which only time zones need any. */
class Component {
  readonly name: string;
  readonly #lines: string[] = [];
  #length = 0;
  #dropping = false;
  #inside = 0;

  constructor(name: string) {
    this.name = name;
  }

  /** Whether this line ends it, whatever inside it has no end. */
  add(text: string, mark: Mark | undefined): boolean {
    if (mark?.side === 'BEGIN') this.#inside++;
    const ends = mark?.side === 'END' && mark.name === this.name;
    if (this.name !== 'VEVENT' || this.#inside <= 1 || ends) this.#keep(text);
    if (mark?.side === 'END') this.#inside--;
    return ends;
  }

  #keep(text: string): void {
    const continues = /^[ \t]/.test(text);
    if (!continues) this.#dropping = LEFT_OUT.test(text) && !KEPT_EXTENSIONS.test(text);
    if (this.#dropping) return;
    this.#length += text.length;
    if (this.#length <= MAX_COMPONENT) this.#lines.push(text);
  }

  get isTooLarge(): boolean {
    return this.#length > MAX_COMPONENT;
  }

  text(encoding: Encoding): string {
    return decodeLatin(unfolded(this.#lines), encoding);
  }
}

interface Mark {
  side: 'BEGIN' | 'END';
  name: string;
}

function markIn(text: string): Mark | undefined {
  const [, side, name] = /^(BEGIN|END):([\w-]+)\s*$/i.exec(text) ?? [];
  if (side === undefined || name === undefined) return undefined;
  return { side: side.toUpperCase() as Mark['side'], name: name.toUpperCase() };
}

/** Events and calendars are never inside an event: the one before has no end. */
const endsOpenOnes = ({ side, name }: Mark) =>
  name === 'VCALENDAR' || (side === 'BEGIN' && (name === 'VEVENT' || name === 'VTIMEZONE'));

function headAfter(head: CalendarHead, text: string, mark: Mark | undefined): CalendarHead {
  if (mark?.side === 'BEGIN' && mark.name === 'VCALENDAR') return noHead;
  return /^METHOD:\s*CANCEL\s*$/i.test(text) ? { ...head, cancels: true } : head;
}

function withZone(head: CalendarHead, rules: string): CalendarHead {
  if (Object.keys(head.zones).length >= MAX_ZONES) return head;
  const found = zoneOfRules(rules);
  if (!found || found.name.length > MAX_NAME || zoneOf(found.name) !== undefined) return head;
  return { ...head, zones: { ...head.zones, [found.name]: found.zone } };
}

/** Events from a place between two of them; `known` is what the calendar has said before it. */
export async function* readEvents(
  source: ByteSource,
  encoding: Encoding,
  { from, known }: { from: number; known: CalendarHead },
): AsyncGenerator<EventEntry> {
  let head = known;
  let component: Component | undefined;
  let at = from;
  const entry = (ended: Component, next: number): EventEntry =>
    ended.isTooLarge ? { failure: 'row_too_large', next, head } : { event: ended.text(encoding), next, head };
  for await (const { text, next } of linesFrom(source, from)) {
    const mark = markIn(text);
    if (component && mark && endsOpenOnes(mark)) {
      if (component.name === 'VEVENT') yield entry(component, at);
      component = undefined;
    }
    at = next;
    if (!component) {
      head = headAfter(head, text, mark);
      if (mark?.side === 'BEGIN' && mark.name !== 'VCALENDAR') component = new Component(mark.name);
    }
    if (!component?.add(text, mark)) continue;
    if (component.name === 'VEVENT') yield entry(component, next);
    else if (component.name === 'VTIMEZONE' && !component.isTooLarge)
      head = withZone(head, component.text(encoding));
    component = undefined;
  }
  // The file ends within an event.
  if (component?.name === 'VEVENT') yield entry(component, source.size);
}
