import type { Failure } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { FolderChanged } from '#shared/domain/mail/servers/failures.ts';
import type { FolderState } from '#shared/domain/mail/servers/server.ts';
import type { MessageName } from '#shared/domain/mail/threads/withdraw.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { compareFolder } from './compare.ts';
import { copiesIn, removeCopies } from './copies.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { forgetCopies, messagesOf, withoutCounts } from './gone.ts';
import { readMarks } from './marks.ts';
import { isRead, isToCompare, isWhole, newFolder, ofRound, type Place, placesOf } from './plan.ts';
import { countsAfter, foldersOf, putFolder, removeFolder, saveFolder } from './progress.ts';
import { readNew, readOlder } from './read-folder.ts';
import { atServer, ServerFailed, type Syncing } from './syncing.ts';

/** Folders in a row that the server cannot tell: then it is the server. */
const UNTOLD = 5;

/** One run: what the server has, what is known of it, and what was found to be gone. */
export class Reading {
  readonly #sync: Syncing;
  /** By id; those that are known. */
  readonly folders = new Map<string, MailFolder>();
  /** By id, of folders that are not in threads: how many messages they have. */
  readonly apart = new Map<string, number>();
  places: Place[] = [];
  failure: Failure | null = null;
  /** Every folder was looked at: what is here belongs to what the server counts now. */
  isCounted = false;
  #untold = 0;
  /** Folders that could not be read: nothing is known to be gone then. */
  #unread = false;
  /** Messages whose copies are gone already. */
  readonly #lost: MessageName[] = [];
  /** Folders that gave UIDs back. */
  readonly #shrank = new Set<string>();

  constructor(sync: Syncing) {
    this.#sync = sync;
  }

  /** False when the time was up. */
  async run(): Promise<boolean> {
    const { table } = this.#sync.ctx;
    for (const folder of await foldersOf(table, this.#sync.mailbox.id)) this.folders.set(folder.id, folder);
    await this.#list();
    const round = this.#sync.mailbox.mail_state?.round ?? 0;
    const wanted = new Set(ofRound(this.places, round).map(({ id }) => id));
    const isWanted = ({ id }: Place) => wanted.has(id) || !this.#isWhole(id);
    const states = await this.#look(this.places.filter(isWanted));
    this.isCounted = states !== undefined;
    if (!states || !(await this.#readOlder())) return false;
    const gone = await this.#compare(states);
    return gone !== undefined && this.#forget(gone);
  }

  get isWhole(): boolean {
    return this.places.every((place) => !isRead(place) || this.#isWhole(place.id));
  }

  #isWhole(id: string): boolean {
    const folder = this.folders.get(id);
    return folder !== undefined && isWhole(folder);
  }

  async #list(): Promise<void> {
    this.places = placesOf(this.#sync.mailbox.id, await atServer(this.#sync.store.folders()));
  }

  /** What a folder that cannot be read keeps from being known. Others are read. */
  async #ofFolder<T>(place: Place, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.#untold = 0;
      return result;
    } catch (error) {
      if (!(error instanceof FolderChanged || error instanceof ServerFailed)) throw error;
      if (this.folders.has(place.id)) this.#unread = true;
      const folder = { mailbox_id: this.#sync.mailbox.id, folder_id: place.id };
      getLogger().warn('folder not read', { ...folder, error: describeError(error) });
      if (error instanceof FolderChanged) return undefined;
      if (++this.#untold >= UNTOLD) throw error;
      this.failure ??= { code: 'provider_failed', message: 'The server cannot tell what is in a folder.' };
      return undefined;
    }
  }

  /** The state of each folder, and its new mail; undefined when the time was up. */
  async #look(places: Place[]): Promise<Map<string, FolderState> | undefined> {
    const states = new Map<string, FolderState>();
    for (const place of places) {
      if (this.#sync.timeIsUp()) return undefined;
      const done = await this.#ofFolder(place, async () => {
        const state = await atServer(this.#sync.store.state(place.path));
        if (!isRead(place)) this.apart.set(place.id, state.messages);
        else {
          states.set(place.id, state);
          return this.#readNew(place, state);
        }
        return true;
      });
      if (done === false) return undefined;
    }
    return states;
  }

  async #readNew(place: Place, state: FolderState): Promise<boolean> {
    const folder = await this.#placed(place, state);
    const isMarked = await readMarks(this.#sync, folder, state);
    const read = await readNew(this.#sync, folder, state);
    // Marks of new messages may have to wait as well.
    const waits = !isMarked || read.folder.modseq !== folder.modseq;
    const modseq = waits ? read.folder.modseq : state.modseq;
    const seen = { modseq, messages_at_provider: state.messages };
    const isSame = read.folder.modseq === modseq && read.folder.messages_at_provider === state.messages;
    const isOver = read.done && !isSame;
    this.folders.set(
      place.id,
      isOver ? await saveFolder(this.#sync.ctx.table, read.folder, seen) : read.folder,
    );
    return read.done;
  }

  /** The folder as its server has it now. */
  async #placed(place: Place, state: FolderState): Promise<MailFolder> {
    const { table } = this.#sync.ctx;
    const known = this.folders.get(place.id);
    if (!known || known.uidvalidity !== state.uidvalidity)
      return putFolder(table, known, newFolder(this.#sync.mailbox, place, state));
    if (state.uidnext < known.uidnext) return this.#shrunk(known, state);
    const { path, role, server_id } = place;
    const isSame = known.path === path && known.role === role && known.server_id === server_id;
    return isSame ? known : saveFolder(table, known, { path, role, server_id });
  }

  /** A server that was restored may give the same UIDs to other messages: what had them is forgotten before these come. */
  async #shrunk(known: MailFolder, { uidnext }: FolderState): Promise<MailFolder> {
    const { table } = this.#sync.ctx;
    const gone: MailCopy[] = [];
    for await (const page of copiesIn(table, known.id))
      gone.push(...page.filter((copy) => copy.uidvalidity === known.uidvalidity && copy.uid >= uidnext));
    getLogger().warn('UIDs of a folder shrank', { folder_id: known.id, gone: gone.length });
    this.#shrank.add(known.id);
    this.#lost.push(...messagesOf(gone));
    await removeCopies(table, gone);
    return saveFolder(table, known, {
      ...{ uidnext, unread_below: Math.min(known.unread_below, uidnext) },
      ...countsAfter(known, -1, gone),
    });
  }

  async #readOlder(): Promise<boolean> {
    for (const place of this.places) {
      const folder = this.folders.get(place.id);
      if (!folder || isWhole(folder)) continue;
      const read = await this.#ofFolder(place, () => readOlder(this.#sync, folder));
      if (read) this.folders.set(place.id, read.folder);
      if (read?.done === false) return false;
    }
    return true;
  }

  /** Undefined when the time was up. */
  async #compare(states: Map<string, FolderState>): Promise<Map<string, MailCopy[]> | undefined> {
    const gone = new Map<string, MailCopy[]>();
    const { mail_compare_after: compare_after } = this.#sync.mailbox;
    for (const place of this.places) {
      const [folder, state] = [this.folders.get(place.id), states.get(place.id)];
      if (!folder || !state || !isToCompare(folder, { compare_after, now: this.#sync.started })) continue;
      if (this.#sync.timeIsUp()) return undefined;
      const compared = await this.#ofFolder(place, () => compareFolder(this.#sync, folder, state));
      if (!compared) continue;
      this.folders.set(place.id, compared.folder);
      if (!compared.done) return undefined;
      if (compared.gone.length > 0) gone.set(place.id, compared.gone);
    }
    const there = this.#there();
    for (const id of this.folders.keys()) if (!there.has(id)) gone.set(id, await this.#allOf(id));
    return gone;
  }

  async #allOf(folder_id: string): Promise<MailCopy[]> {
    const all: MailCopy[] = [];
    for await (const page of copiesIn(this.#sync.ctx.table, folder_id)) all.push(...page);
    return all;
  }

  /** What was lost in one folder may have come to another meanwhile: all are read once more before it is believed. */
  async #forget(gone: Map<string, MailCopy[]>): Promise<boolean> {
    if (gone.size === 0 && this.#lost.length === 0) return true;
    const before = this.#there();
    this.#unread = false;
    this.#shrank.clear();
    await this.#list();
    if (!(await this.#look(this.places))) return false;
    if (this.#unread || !this.isWhole) return true;
    const there = this.#there();
    const isSure = (id: string) => !this.#shrank.has(id) && before.has(id) === there.has(id);
    const sure = [...gone].filter(([id]) => isSure(id));
    await forgetCopies(
      this.#sync,
      sure.flatMap(([, copies]) => copies),
      this.#lost,
    );
    for (const [id, copies] of sure) await this.#without(id, copies, there.has(id));
    return true;
  }

  #there(): ReadonlySet<string> {
    return new Set(this.places.filter(isRead).map(({ id }) => id));
  }

  async #without(id: string, copies: MailCopy[], isThere: boolean): Promise<void> {
    const folder = this.folders.get(id) as MailFolder;
    if (isThere) {
      this.folders.set(id, await withoutCounts(this.#sync, folder, copies));
      return;
    }
    await removeFolder(this.#sync.ctx.table, folder);
    this.folders.delete(id);
  }
}
