import {
  type Asked,
  type Tool,
  type Toolbox,
  type ToolName,
  ToolRefused,
} from '#shared/domain/assistant/answering/assistant.ts';
import type { ToolResults } from '#shared/domain/assistant/answering/tool-results.ts';
import type {
  ContactView,
  DealView,
  EventView,
  ThreadView,
} from '#shared/domain/assistant/answering/views.ts';
import { Cannot } from './cannot.ts';
import { threadName } from './say.ts';
import { cellTime } from './times.ts';

/** The tools, as answers use them. Records are read once. */

const MISSING = {
  read_record: 'I cannot read records here.',
  search_threads: 'I cannot search threads here.',
  search_contacts: 'I cannot search contacts here.',
  search_organizations: 'I cannot search organizations here.',
  search_deals: 'I cannot search deals here.',
  search_tasks: 'I cannot search tasks here.',
  list_users: 'I cannot see the list of colleagues here.',
  list_tags: 'I cannot see the list of tags here.',
  show_cards: 'I cannot show cards here.',
  show_table: 'I cannot show tables here.',
  propose_change: 'I cannot propose changes here; I only read.',
} satisfies { [Name in ToolName]?: string };

/** The tools that it uses: families that came later have others. */
type Used = keyof typeof MISSING;

type Rows = ToolResults['search_threads']['threads'];

export class Workspace {
  readonly asked: Asked;
  readonly zone: string;
  readonly #tools: Toolbox;
  readonly #deadline: number;
  readonly #read = new Map<string, Promise<ToolResults['read_record']>>();

  constructor(asked: Asked, zone: string, tools: Toolbox, deadline: number) {
    this.asked = asked;
    this.zone = zone;
    this.#tools = tools;
    this.#deadline = deadline;
  }

  has(name: Used): boolean {
    return this.#tools[name] !== undefined;
  }

  async use<Name extends Used>(name: Name, input: unknown): Promise<ToolResults[Name]> {
    const tool = this.#tools[name] as Tool<Name> | undefined;
    if (!tool) throw new Cannot(MISSING[name]);
    if (Date.now() >= this.#deadline)
      throw new Cannot('I ran out of time before I had looked everything up.');
    return tool.run(input);
  }

  #record(
    type: 'thread' | 'contact' | 'deal' | 'calendar_event',
    id: string,
  ): Promise<ToolResults['read_record']> {
    const key = `${type}:${id}`;
    const reading = this.#read.get(key) ?? this.use('read_record', { type, id });
    this.#read.set(key, reading);
    return reading;
  }

  async thread(id: string): Promise<ThreadView> {
    const record = await this.#record('thread', id);
    if (record.type !== 'thread') throw new Cannot('I could not read that thread.');
    return record;
  }

  async contact(id: string): Promise<ContactView> {
    const record = await this.#record('contact', id);
    if (record.type !== 'contact') throw new Cannot('I could not read that contact.');
    return record;
  }

  /** The thread that the question was asked on. */
  async ownThread(): Promise<ThreadView | null> {
    const { about } = this.asked;
    return about?.type === 'thread' ? this.thread(about.id) : null;
  }

  /** The meeting that the question was asked about. */
  async ownEvent(): Promise<EventView | null> {
    const { about } = this.asked;
    if (about?.type !== 'calendar_event') return null;
    const record = await this.#record('calendar_event', about.id);
    return record.type === 'calendar_event' ? record : null;
  }

  async ownContact(): Promise<ContactView | null> {
    const { about } = this.asked;
    return about?.type === 'contact' ? this.contact(about.id) : null;
  }

  threads(input: object): Promise<ToolResults['search_threads']> {
    return this.use('search_threads', input);
  }

  contacts(query: string): Promise<ToolResults['search_contacts']> {
    return this.use('search_contacts', { query: query.slice(0, 200) });
  }

  async deal(id: string): Promise<DealView> {
    const record = await this.#record('deal', id);
    if (record.type !== 'deal') throw new Cannot('I could not read that deal.');
    return record;
  }

  /** False when it could not be shown: the text says it instead. */
  async #show(name: 'show_cards' | 'show_table', input: unknown): Promise<boolean> {
    if (!this.has(name)) return false;
    try {
      await this.use(name, input);
      return true;
    } catch (error) {
      if (error instanceof ToolRefused) return false;
      throw error;
    }
  }

  async showContacts(ids: string[], title?: string): Promise<boolean> {
    if (ids.length === 0) return false;
    return this.#show('show_cards', { card_type: 'Contact', ids, ...(title ? { title } : {}) });
  }

  showTasks(ids: string[], title: string): Promise<boolean> {
    return this.#show('show_cards', { card_type: 'Task', ids, title });
  }

  showThreads(threads: Rows, title?: string): Promise<boolean> {
    const ids = threads.map(({ id }) => id);
    return this.#show('show_cards', { card_type: 'Thread', ids, ...(title ? { title } : {}) });
  }

  /** A table of moments: when, who, on which thread. */
  showMoments(
    title: string,
    moments: { at: string; from: string; note: string; thread: { id: string; subject: string | null } }[],
    note = 'Subject',
  ): Promise<boolean> {
    return this.#show('show_table', {
      title,
      columns: [
        { key: 'date', label: 'Date', kind: 'date' },
        { key: 'from', label: 'From', kind: 'text' },
        { key: 'note', label: note, kind: 'text' },
      ],
      rows: moments.map(({ at, from, note: said, thread }) => ({
        cells: { date: cellTime(this.zone, at), from, note: said || threadName(thread) },
        ref: { type: 'thread', id: thread.id },
      })),
    });
  }
}
