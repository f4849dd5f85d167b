import type { Dice } from './dice.ts';
import { allEvents, givenCalendar, givenEvent } from './events.ts';
import { eml, givenMailbox, importMail, listAllThreads } from './mail.ts';
import { firstPipelineOf } from './pipelines.ts';
import { runRemovals } from './removed-records.ts';
import type { Entry } from './timeline.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Random changes by several users, a log of them, and a naive timeline over what one user sees. */

const kinds = ['contacts', 'organizations', 'deals', 'tasks'] as const;
type Kind = (typeof kinds)[number];

interface Known {
  kind: Kind;
  id: string;
  /** The contacts, organizations and deals that it is linked to. */
  links: string[];
  by: TestUser;
  tags: Set<string>;
  deleted?: boolean;
  merged_into?: Known;
}

interface Logged {
  type: string;
  at: number;
  record: Known;
  /** The records that it was linked to then. */
  links: string[];
  by: TestUser;
  comment_id?: string;
  tag_id?: string;
}

const lineOf = (at: number, type: string, id: string) => `${new Date(at).toISOString()} ${type} ${id}`;

/** Newest first; the order within a millisecond is that of nobody. */
const sorted = (lines: string[]) => lines.toSorted().reverse();

export const linesOf = (entries: Entry[]): string[] =>
  sorted(entries.map(({ type, occurred_at, ref }) => lineOf(Date.parse(occurred_at), type, ref.id)));

const START = Date.parse('2027-03-01T09:00:00.000Z');

export class TimelineWorld {
  readonly #workspace: Workspace;
  readonly #dice: Dice;
  readonly #users: TestUser[];
  readonly #addresses = ['one', 'two', 'three'].map((name) => `${name}@harbour.example`);
  #now = START;
  #known: Known[] = [];
  #log: Logged[] = [];
  #gone = new Set<string>();
  #tags: string[] = [];
  #stages: string[] = [];

  constructor(workspace: Workspace, dice: Dice, users: TestUser[]) {
    [this.#workspace, this.#dice, this.#users] = [workspace, dice, users];
  }

  async start(): Promise<void> {
    this.#tick();
    const [user] = this.#users as [TestUser];
    this.#stages = (await firstPipelineOf(user)).stages.flatMap(({ id, kind }) =>
      kind === 'open' ? id : [],
    );
    for (const name of ['Red', 'Green'])
      this.#tags.push((await user.api.createTag({ body: { tag: { name } } })).body.tag.id);
    for (let i = 0; i < 3; i++) await this.#create('contacts', i);
    for (const each of this.#users) await this.#addMail(each);
  }

  async #addMail(user: TestUser): Promise<void> {
    const { mailbox_id, calendar_id } = await givenCalendar(this.#workspace, user);
    const date = (hours: number) => new Date(START - hours * 3_600_000).toUTCString().replace('GMT', '+0000');
    const mail = Array.from({ length: 6 }, (_, i) =>
      eml({
        id: `${mailbox_id}-${i}@x`,
        from: this.#dice.pick(this.#addresses),
        to: user.user.email_address,
        subject: `About ${i}`,
        // Much mail has the same second.
        date: date(this.#dice.int(1, 3)),
      }),
    );
    await importMail(this.#workspace, user, mailbox_id, mail);
    for (let i = 0; i < 3; i++) {
      const starts = START - this.#dice.int(1, 3) * 3_600_000;
      await givenEvent(user, calendar_id, {
        name: `Meeting ${i}`,
        starts_at: new Date(starts).toISOString(),
        ends_at: new Date(starts + 1_800_000).toISOString(),
        attendees: [{ email_address: this.#dice.pick(this.#addresses) }],
        private: this.#dice.chance(30),
      });
    }
    await givenMailbox(this.#workspace, user, user.user.account_id);
  }

  /** Often the same millisecond. */
  #tick(): void {
    this.#now += this.#dice.chance(50) ? 0 : this.#dice.int(1, 60_000);
    this.#workspace.setTime(new Date(this.#now));
  }

  #live(kind?: Kind): Known[] {
    return this.#known.filter((each) => !each.deleted && !each.merged_into && (!kind || each.kind === kind));
  }

  #add(type: string, record: Known, by: TestUser, more: Partial<Logged> = {}): void {
    this.#log.push({ type, at: this.#now, record, links: [...record.links], by, ...more });
  }

  async #create(kind: Kind, address?: number): Promise<void> {
    const by = this.#dice.pick(this.#users);
    const contacts = this.#dice.some(this.#live('contacts').filter((each) => each.by === by)).slice(0, 2);
    const contact_ids = contacts.map(({ id }) => id);
    const common = {
      name: `A ${kind}`,
      ...(this.#dice.chance(30) ? { visibility: 'private' as const } : {}),
    };
    const email_addresses =
      address === undefined ? [] : [{ email_address: this.#addresses[address] as string }];
    const id = await {
      contacts: async () =>
        (await by.api.createContact({ body: { contact: { ...common, email_addresses } } })).body.contact.id,
      organizations: async () =>
        (await by.api.createOrganization({ body: { organization: common } })).body.organization.id,
      deals: async () =>
        (await by.api.createDeal({ body: { deal: { ...common, contact_ids } } })).body.deal.id,
      tasks: async () =>
        (await by.api.createTask({ body: { task: { ...common, contact_ids } } })).body.task.id,
    }[kind]();
    const links = kind === 'deals' || kind === 'tasks' ? contact_ids : [];
    const record = { kind, id, links, by, tags: new Set<string>() };
    this.#known.push(record);
    const types = { contacts: 'record_created', organizations: 'record_created' };
    const types_linked = { deals: 'deal_created', tasks: 'task_created' };
    this.#add({ ...types, ...types_linked }[kind], record, by);
  }

  /** By its owner, who may do everything. */
  async #change(record: Known): Promise<void> {
    const { kind, id, by } = record;
    const params = { id };
    const updated = (changed: { updated_at: string | null }) => Date.parse(changed.updated_at ?? '');
    if (kind === 'contacts') {
      const contact = { headline: `Told at ${this.#now} ${this.#log.length}` };
      const { body } = await by.api.updateContact({ params, body: { contact } });
      this.#add('record_updated', record, by, { at: updated(body.contact) });
    } else if (kind === 'organizations') {
      const organization = { description: `Told at ${this.#now} ${this.#log.length}` };
      const { body } = await by.api.updateOrganization({ params, body: { organization } });
      this.#add('record_updated', record, by, { at: updated(body.organization) });
    } else if (kind === 'deals') {
      const { stage_id } = (await by.api.retrieveDeal({ params })).body.deal;
      const to = this.#stages.find((stage) => stage !== stage_id) as string;
      const { body } = await by.api.updateDeal({ params, body: { deal: { stage_id: to } } });
      this.#add('deal_stage_moved', record, by, { at: updated(body.deal) });
    } else {
      const { completed_at } = (await by.api.retrieveTask({ params })).body.task;
      if (completed_at !== null) return;
      await by.api.completeTask({ params: { task_id: id } });
      const { task } = (await by.api.retrieveTask({ params })).body;
      this.#add('task_completed', record, by, { at: Date.parse(task.completed_at ?? '') });
    }
  }

  async #comment(record: Known): Promise<void> {
    if (record.kind === 'tasks') return;
    const { by } = record;
    const params = { record_type: record.kind, record_id: record.id };
    const body = { comment: { html_content: 'Something' } };
    const { comment } = (await by.api.createComment({ params, body })).body;
    this.#add('comment', record, by, { links: [], comment_id: comment.id });
    if (!this.#dice.chance(20)) return;
    await by.api.deleteComment({ params: { id: comment.id } });
    this.#gone.add(comment.id);
  }

  async #tag(record: Known): Promise<void> {
    if (record.kind === 'tasks') return;
    const { by } = record;
    const at = { record_type: record.kind, record_id: record.id };
    const tag_id = this.#dice.pick(this.#tags);
    const has = record.tags.delete(tag_id);
    if (has) await by.api.removeTag({ params: { ...at, tag_id } });
    else await by.api.applyTag({ params: at, body: { tag_id } });
    if (!has) record.tags.add(tag_id);
    this.#add(has ? 'tag_removed' : 'tag_applied', record, by, { links: [], tag_id });
  }

  async #end(record: Known): Promise<void> {
    const { kind, id, by } = record;
    const params = { id };
    await {
      contacts: () => by.api.deleteContact({ params }),
      organizations: () => by.api.deleteOrganization({ params }),
      deals: () => by.api.deleteDeal({ params }),
      tasks: () => by.api.deleteTask({ params }),
    }[kind]();
    record.deleted = true;
    if (!this.#dice.chance(50)) return;
    await by.api.restoreRecord({ params: { record_type: kind, record_id: id } });
    record.deleted = false;
  }

  async #merge(): Promise<void> {
    const by = this.#dice.pick(this.#users);
    const [into, from] = this.#dice.shuffled(this.#live('contacts').filter((each) => each.by === by));
    if (!into || !from) return;
    const params = { contact_id: into.id };
    const { body } = await by.api.mergeContacts({ params, body: { contact_id_to_merge: from.id } });
    await runRemovals(this.#workspace);
    from.merged_into = into;
    into.tags = new Set([...into.tags, ...from.tags]);
    this.#add('record_merged', into, by, { at: Date.parse(body.contact.updated_at ?? '') });
  }

  async step(): Promise<void> {
    this.#tick();
    const some = this.#live();
    if (some.length < 4) return this.#create('contacts');
    const record = this.#dice.pick(some);
    const roll = this.#dice.int(1, 100);
    if (roll <= 35) return this.#create(this.#dice.pick(kinds));
    if (roll <= 60) return this.#change(record);
    if (roll <= 75) return this.#comment(record);
    if (roll <= 88) return this.#tag(record);
    return roll <= 94 ? this.#end(record) : this.#merge();
  }

  #endOf(record: Known): Known {
    return record.merged_into ? this.#endOf(record.merged_into) : record;
  }

  /** The contacts, organizations and deals that the user sees. */
  contactsOf = (): string[] => this.#live('contacts').map(({ id }) => id);
  dealsOf = (): string[] => this.#live('deals').map(({ id }) => id);

  async sees({ reader }: TestUser, { kind, id }: Pick<Known, 'kind' | 'id'>): Promise<boolean> {
    const params = { id };
    const read = {
      contacts: () => reader.retrieveContact({ params }),
      organizations: () => reader.retrieveOrganization({ params }),
      deals: () => reader.retrieveDeal({ params }),
      tasks: () => reader.retrieveTask({ params }),
    }[kind]();
    return read.then(
      () => true,
      () => false,
    );
  }

  async #logged(user: TestUser, has: (logged: Logged) => boolean): Promise<string[]> {
    const seen = new Map<string, Promise<boolean>>();
    const isSeen = (record: Known) => {
      const reading = seen.get(record.id) ?? this.sees(user, record);
      seen.set(record.id, reading);
      return reading;
    };
    const lines = this.#log
      .filter((logged) => has(logged) && !this.#gone.has(logged.comment_id ?? ''))
      .map(async ({ at, type, record }) => {
        const end = this.#endOf(record);
        return (await isSeen(end)) ? [lineOf(at, type, end.id)] : [];
      });
    return (await Promise.all(lines)).flat();
  }

  async #mail(user: TestUser, query: { contact_id?: string }): Promise<string[]> {
    const threads = await listAllThreads(user.reader, query);
    const starts_before = new Date(this.#now + 1).toISOString();
    const events = await allEvents(user, { ...query, starts_before });
    return [
      ...threads.map(({ id, last_sent_at }) => lineOf(Date.parse(last_sent_at ?? ''), 'thread', id)),
      ...events.map(({ id, starts_at }) => lineOf(Date.parse(starts_at), 'calendar_event', id)),
    ];
  }

  async ofAccount(user: TestUser): Promise<string[]> {
    return sorted([...(await this.#logged(user, () => true)), ...(await this.#mail(user, {}))]);
  }

  ofUser = async (user: TestUser, actor: TestUser): Promise<string[]> =>
    sorted(await this.#logged(user, ({ by }) => by === actor));

  async ofContact(user: TestUser, id: string): Promise<string[]> {
    const isIt = (other: string) =>
      this.#endOf(this.#known.find((each) => each.id === other) as Known).id === id;
    const has = ({ record, links }: Logged) => isIt(record.id) || links.some(isIt);
    return sorted([...(await this.#logged(user, has)), ...(await this.#mail(user, { contact_id: id }))]);
  }

  ofDeal = async (user: TestUser, id: string): Promise<string[]> =>
    sorted(await this.#logged(user, ({ record }) => record.id === id));
}
