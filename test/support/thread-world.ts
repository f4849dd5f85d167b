import { expect } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { messagesWithId } from '#shared/domain/mail/threads/message-ids.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import { newReindexing, type Reindexing, runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { withdraw } from '#shared/domain/mail/threads/withdraw.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys, type ThreadOwner } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { givenAccount } from './accounts.ts';
import type { Dice } from './dice.ts';
import { givenGroup } from './groups.ts';
import { type Draft, rawMail, STRANGERS } from './thread-mail.ts';
import { ThreadModel } from './thread-model.ts';
import type { ModelContact, ModelMailbox, ModelMessage, ModelOwner } from './thread-views.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** An account with random users, mailboxes and mail, and the model of what its users see. */

const ZONES = ['Europe/London', 'America/New_York', 'America/Santiago', 'Asia/Tokyo', 'Pacific/Apia'];

export class ThreadWorld {
  readonly workspace: Workspace;
  readonly account_id: string;
  readonly users: TestUser[];
  readonly model: ThreadModel;
  readonly groups: string[] = [];
  /** By Message-ID. */
  readonly drafts = new Map<string, Draft>();
  /** The steps so far, to analyse failures. */
  readonly story: string[] = [];
  #now: number;

  private constructor(workspace: Workspace, users: TestUser[], now: number) {
    this.workspace = workspace;
    this.users = users;
    this.account_id = (users[0] as TestUser).user.account_id;
    this.model = new ThreadModel(this.account_id);
    this.#now = now;
  }

  static async start(workspace: Workspace, dice: Dice, size: number, now: number): Promise<ThreadWorld> {
    workspace.setTime(new Date(now));
    const world = new ThreadWorld(workspace, await givenAccount(workspace, size), now);
    for (const user of world.users) await world.#addUser(dice, user);
    const owners = [world.users[0] as TestUser, ...world.users.filter(() => dice.chance(60))];
    for (const [i, owner] of owners.entries()) await world.#addMailbox(owner, i);
    await world.#addRecords(dice);
    return world;
  }

  get table() {
    return this.workspace.table;
  }

  get now(): number {
    return this.#now;
  }

  /** Every step has a time of its own; a second for each keeps the requests of a key below its limit. */
  tick(): void {
    this.#now += 1_000;
    this.workspace.setTime(new Date(this.#now));
  }

  // --- Users.

  async #addUser(dice: Dice, { user }: TestUser): Promise<void> {
    const time_zone = dice.pick(ZONES);
    const week_starts_on = dice.pick(['monday', 'sunday'] as const);
    const own = { PK: user.PK, SK: user.SK };
    await this.table.update<User>(own, { set: { time_zone, week_starts_on } });
    const { id, email_address } = user;
    this.model.users.set(id, {
      ...{ id, email_address, time_zone, week_starts_on, primary: null },
      ...{ mailboxes: new Map(), groups: new Set() },
    });
  }

  async #addMailbox({ user }: TestUser, number: number): Promise<void> {
    const address = `box-${number}@initech.example`;
    const aliases = [`alias-${number}@initech.example`];
    const draft = { account_id: user.account_id, user_id: user.id, email_address: address, name: address };
    const given = { ...draft, aliases, contact_creation: 'none' as const };
    const { id } = await createMailbox(this.table, given, new Date(this.now));
    this.model.mailboxes.push({ id, owner: user.id, addresses: [address, ...aliases] });
    const model = this.modelUser(user.id);
    model.mailboxes.set(id, 'owner');
    model.primary ??= id;
  }

  /** Access, groups, contacts and tags. */
  async #addRecords(dice: Dice): Promise<void> {
    const [first, second = first] = this.users as [TestUser, TestUser?];
    for (const mailbox of this.model.mailboxes)
      for (const { user } of this.users)
        if (user.id !== mailbox.owner && dice.chance(30))
          await this.giveAccess(user.id, mailbox.id, dice.pick(['view', 'edit']));
    for (const members of [dice.some(this.users), dice.some(this.users)]) {
      const group = await givenGroup(first, members);
      this.groups.push(group.id);
      for (const { user } of members) this.modelUser(user.id).groups.add(group.id);
    }
    await this.#addContact(first, 'Priya and Moira', STRANGERS.slice(0, 2));
    await this.#addContact(second, 'Olu', STRANGERS.slice(2, 3), true);
    await this.#addContact(first, 'Nobody', []);
    for (const name of ['One', 'Two', 'Three'])
      this.model.all_tags.push((await first.api.createTag({ body: { tag: { name } } })).body.tag.id);
  }

  async #addContact(user: TestUser, name: string, addresses: string[], is_private = false): Promise<void> {
    const { body } = await user.api.createContact({
      body: {
        contact: {
          name,
          email_addresses: addresses.map((email_address) => ({ email_address })),
          visibility: is_private ? 'private' : 'account',
        },
      },
    });
    const private_to = is_private ? user.user.id : null;
    this.model.contacts.push({ id: body.contact.id, name, addresses, private_to, pinned_by: new Set() });
  }

  modelUser(id: string) {
    return this.model.users.get(id) as NonNullable<ReturnType<typeof this.model.users.get>>;
  }

  client(id: string): TestUser {
    return this.users.find(({ user }) => user.id === id) as TestUser;
  }

  /** The user as loaded by authentication. */
  async caller(user: string): Promise<Caller> {
    const [[found], account] = await Promise.all([
      findUsers(this.table, this.account_id, [user]),
      this.table.get<Account>(keys.account(this.account_id)),
    ]);
    if (!found || !account) throw new Error('The user is gone');
    return { user: found, account, credential: { kind: 'api_key', tier: 'read', id: user } };
  }

  // --- Mail.

  async deliver(draft: Draft, mailbox: ModelMailbox): Promise<void> {
    this.tick();
    this.story.push(`deliver ${draft.rfc_id} (refers to ${draft.refers_to}) to ${mailbox.id}`);
    const members = await membersOf(this.table, this.account_id);
    const raw = rawMail(draft, draft.has_file);
    const { thread_id } = await ingestMessage(
      {
        table: this.table,
        bucket: bucketOf(this.workspace.ctx),
        members,
        now: this.workspace.ctx.clock,
        ports: this.workspace.ctx.ports,
      },
      {
        account_id: this.account_id,
        mailbox: members.mailboxes.find(({ id }) => id === mailbox.id) as Mailbox,
        message: await parseMessage(raw),
        raw,
        source: `${draft.rfc_id} ${mailbox.id}`,
      },
    );
    await refreshThread(this.table, thread_id, members);
    await this.#remember(draft, mailbox, thread_id);
    this.drafts.set(draft.rfc_id, draft);
  }

  async #remember({ date, text, ...draft }: Draft, mailbox: ModelMailbox, thread_id: string): Promise<void> {
    const { model } = this;
    const known = model.messages.find(({ rfc_id }) => rfc_id === draft.rfc_id);
    const sent = date ?? this.now;
    const message: ModelMessage = known ?? { ...draft, id: '', sent, reached: new Map() };
    const rows = await Promise.all(
      [...model.messages.filter((each) => each !== known), message].map(async (each) => {
        const [row] = await messagesWithId(this.table, this.account_id, hashOfId(each.rfc_id), mailbox.id);
        return { each, thread: row?.thread_id as string, id: row?.message_id as string };
      }),
    );
    const before = new Map(model.thread_of);
    const left = new Set(rows.map(({ thread }) => thread));
    const joined = new Set([...before.values()].filter((thread) => !left.has(thread)));
    /** Threads that gained or lost older messages. */
    const regrouped = new Set<string>();
    const flags = new Map<string, boolean>();
    model.change(() => {
      if (!known) model.messages.push(message);
      if (!message.reached.has(mailbox.id)) message.reached.set(mailbox.id, Math.min(sent, this.now));
      for (const { each, thread, id } of rows) {
        const from = before.get(each.rfc_id);
        if (from !== undefined && from !== thread) regrouped.add(from).add(thread);
        model.thread_of.set(each.rfc_id, thread);
        each.id = id;
      }
      for (const user of model.users.keys())
        flags.set(
          user,
          [thread_id, ...joined].some((id) => model.stateOf(user, id).flagged),
        );
    }, message);
    this.story.push(`  = ${thread_id}${regrouped.size > 0 ? ` among ${[...regrouped]}` : ''}`);
    if (regrouped.size > 0) await this.#regroup(thread_id, joined, regrouped, flags);
  }

  /** The state of merged threads: tags and flags of both. The specification does not define their other states. */
  async #regroup(
    into: string,
    joined: Set<string>,
    regrouped: Set<string>,
    flags: Map<string, boolean>,
  ): Promise<void> {
    const { model } = this;
    model.change(() => {
      for (const from of joined) {
        const tags = [...(model.tags.get(into) ?? []), ...(model.tags.get(from) ?? [])];
        model.tags.set(into, new Set(tags));
        model.tags.delete(from);
      }
    });
    for (const { user, reader } of this.users)
      for (const id of regrouped) {
        if (!model.views(user.id).some((view) => view.id === id)) continue;
        const { thread } = (await reader.retrieveThread({ params: { id } })).body;
        if (id === into && joined.size > 0) expect(thread.flagged).toBe(flags.get(user.id));
        const { read, flagged, resolved, snooze_until: as_sent } = thread;
        // The snooze of any of them: each keeps the moment as it was sent.
        const snooze = as_sent === null ? null : { as_sent, until: Date.parse(as_sent) };
        model.setState(user.id, id, { unread: !read, flagged, resolved, snooze });
      }
  }

  async withdraw(message: ModelMessage, mailbox: ModelMailbox): Promise<void> {
    this.tick();
    this.story.push(`withdraw ${message.rfc_id} from ${mailbox.id}`);
    const { table } = this;
    const members = await membersOf(table, this.account_id);
    const { clock: now, ports } = this.workspace.ctx;
    const name = { id: message.id, id_hash: hashOfId(message.rfc_id) };
    const place = { account_id: this.account_id, id: mailbox.id };
    await withdraw({ table, members, now, ports }, place, [name]);
    this.model.change(() => message.reached.delete(mailbox.id));
  }

  // --- What opens and closes threads. `reindex` updates the lists afterwards.

  async reindex(reindexing: Reindexing): Promise<void> {
    const job = newReindexing(reindexing, new Date(this.now));
    await this.table.put(job);
    await runReindexing(this.workspace.ctx, job.id, () => true);
  }

  async reindexMailbox(user: string, mailbox_id: string): Promise<void> {
    await this.reindex({ account_id: this.account_id, mailbox_id, user_ids: [user] });
  }

  async reindexThread(thread_id: string): Promise<void> {
    await this.reindex({ account_id: this.account_id, thread_id });
  }

  async giveAccess(user: string, mailbox: string, access: 'view' | 'edit'): Promise<void> {
    this.story.push(`give ${user} ${access} ${mailbox}`);
    await this.table.update<User>(keys.user(this.account_id, user), {
      set: { mailboxes: at(mailbox, access), indexed_mailboxes: at(mailbox, true) },
    });
    this.model.change(() => this.modelUser(user).mailboxes.set(mailbox, access));
    await this.reindexMailbox(user, mailbox);
  }

  async takeAccess(user: string, mailbox: string): Promise<void> {
    this.story.push(`take ${user} ${mailbox}`);
    await this.table.update<User>(keys.user(this.account_id, user), { remove: [['mailboxes', mailbox]] });
    this.model.change(() => this.modelUser(user).mailboxes.delete(mailbox));
  }

  /** By an operation, which updates the lists. */
  async share(by: string, thread: string, target: { user_id: string } | { group_id: string }): Promise<void> {
    const params = { record_type: 'threads' as const, record_id: thread };
    this.story.push(`share ${by} ${thread} ${JSON.stringify(target)}`);
    const { share } = (await this.client(by).api.createShare({ params, body: { share: target } })).body;
    const { model } = this;
    const conversation = model
      .conversations()
      .find((messages) => messages.some(({ rfc_id }) => model.thread_of.get(rfc_id) === thread));
    const reached = new Set(conversation?.flatMap((message) => [...message.reached.keys()]));
    const shares = model.shares.get(thread) ?? new Map();
    model.shares.set(thread, shares);
    if (shares.has(share.id)) return;
    model.change(() =>
      shares.set(share.id, {
        user_id: share.user_id,
        group_id: share.group_id,
        mailbox_ids: this.givableBy(by).filter((id) => reached.has(id)),
      }),
    );
  }

  /** The mailboxes whose messages a user may share. */
  givableBy(user: string): string[] {
    const { mailboxes } = this.modelUser(user);
    return [...mailboxes].filter(([, access]) => access !== 'view').map(([id]) => id);
  }

  async unshare(thread: string, share: string): Promise<void> {
    this.story.push(`unshare ${thread} ${share}`);
    await this.table.update<Thread>(keys.record('threads', thread), { remove: [['shares', share]] });
    this.model.change(() => this.model.shares.get(thread)?.delete(share));
  }

  async joinGroup(user: string, group: string): Promise<void> {
    this.story.push(`join ${user} ${group}`);
    await this.table.update<User>(keys.user(this.account_id, user), { add: { group_ids: new Set([group]) } });
    this.model.change(() => this.modelUser(user).groups.add(group));
    await this.reindexGroup(user, group);
  }

  async leaveGroup(user: string, group: string): Promise<void> {
    this.story.push(`leave ${user} ${group}`);
    await this.table.update<User>(keys.user(this.account_id, user), {
      take: { group_ids: new Set([group]) },
    });
    this.model.change(() => this.modelUser(user).groups.delete(group));
  }

  async reindexGroup(user: string, group_id: string): Promise<void> {
    await this.reindex({ account_id: this.account_id, group_id, user_ids: [user] });
  }

  // --- Records that threads belong to, by addresses and tags.

  async pin(user: string, contact: ModelContact, pinned: boolean): Promise<void> {
    const { api } = this.client(user);
    const params = { contact_id: contact.id };
    await (pinned ? api.pinContact({ params }) : api.unpinContact({ params }));
    contact.pinned_by[pinned ? 'add' : 'delete'](user);
  }

  /** Sets the addresses of an organization or space, or the tags of a space. */
  async own(type: ThreadOwner, id: string, owner: ModelOwner): Promise<void> {
    const { PK } = keys.ownerRow(type, id, '');
    for (const row of await this.table.all(PK)) await this.table.delete({ PK, SK: row.SK });
    const contact = { id, visibility: 'account', user_id: id };
    for (const address of owner.addresses)
      await this.table.put({ ...keys.ownerRow(type, id, address), contact, addresses: [address] });
    this.model.owners.set(`${type} ${id}`, owner);
    if (type !== 'spaces') return;
    const { tags: chosen_tag_ids, tag_operator = 'any' } = owner;
    const tagged = keys.taggedSpace(this.account_id, id);
    if (chosen_tag_ids.length === 0) await this.table.delete(tagged);
    else await this.table.put({ ...tagged, space_id: id, chosen_tag_ids, tag_operator });
  }
}
