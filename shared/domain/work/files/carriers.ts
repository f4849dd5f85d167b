import type { RecordKinds, SeesMail } from '#shared/domain/collaboration/records/kind.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Table } from '#shared/table/table.ts';
import type { File } from './file.ts';

/**
 * The mails that have a file (docs/decisions/0042). Who reads one of these mails sees the file, and of the mails only
 * those: by access to a mailbox, which the user's item tells, or by a share of the thread, which the thread's item tells.
 */

/** An attachment with the file: where it is, and the mailboxes that received it. */
export interface Carrier {
  attachment_id: string;
  thread_id: string;
  mailbox_ids: string[];
}

/** Mails that a file names; of further ones it has the first of each mailbox. */
export const MAX_CARRIERS = 100;

type Reader = Pick<User, 'mailboxes'>;

type Carried = Pick<File, 'carriers' | 'mailboxes'>;

const reads = (mailbox_ids: string[], open: { has(id: string): boolean }) =>
  mailbox_ids.some((id) => open.has(id));

/** Whether a mailbox that the user may read received it. */
export const isInMailboxOf = ({ mailboxes = {} }: Carried, user: Reader): boolean =>
  Object.keys(mailboxes).some((id) => Object.hasOwn(user.mailboxes, id));

/** The threads that may open it to a user who has no access to these mailboxes. */
function threadsAround({ carriers = [] }: Carried, user: Reader): string[] {
  const own = new Set(Object.keys(user.mailboxes));
  const others = carriers.filter(({ mailbox_ids }) => !reads(mailbox_ids, own));
  return [...new Set(others.map(({ thread_id }) => thread_id))];
}

type Openings = Awaited<ReturnType<SeesMail['openings']>>;

/** Reads threads for several files together, and each thread once. */
export class OpenMail {
  readonly #table: Table;
  readonly #kinds: RecordKinds;
  readonly #read = new Map<string, Promise<Openings>>();
  #next: { ids: Set<string>; done: Promise<Openings> } | undefined;

  constructor(table: Table, kinds: RecordKinds) {
    this.#table = table;
    this.#kinds = kinds;
  }

  /** Those who ask before the next step of the event loop share a read. */
  #together(id: string): Promise<Openings> {
    this.#next ??= this.#begin();
    this.#next.ids.add(id);
    return this.#next.done;
  }

  #begin() {
    const ids = new Set<string>();
    const done = Promise.resolve().then(() => {
      this.#next = undefined;
      return this.#kinds.threads?.mail?.openings(this.#table, [...ids]) ?? new Map();
    });
    return { ids, done };
  }

  #openings(id: string): Promise<Openings> {
    const reading = this.#read.get(id) ?? this.#together(id);
    this.#read.set(id, reading);
    return reading;
  }

  /** The carriers that the user may read. */
  async of(file: Carried, user: User): Promise<Carrier[]> {
    const { carriers = [] } = file;
    const around = threadsAround(file, user);
    const openings = await Promise.all(around.map((id) => this.#openings(id)));
    const shared = new Map(around.map((id, i) => [id, openings[i]?.get(id)?.(user)]));
    const own = new Set(Object.keys(user.mailboxes));
    return carriers.filter(({ thread_id, mailbox_ids }) =>
      [own, shared.get(thread_id)].some((open) => open && reads(mailbox_ids, open)),
    );
  }
}

/** The owner as a reader of these carriers knows it: the reader, else the owner of a mailbox among those. */
export function ownerFor(file: File, user: User, carriers: Carrier[]): string | null {
  const { mailboxes } = file;
  if (!mailboxes) return file.user_id;
  const open = [
    ...Object.keys(mailboxes).filter((id) => Object.hasOwn(user.mailboxes, id)),
    ...carriers.flatMap(({ mailbox_ids }) => mailbox_ids),
  ];
  const owners = open.flatMap((id) => mailboxes[id] ?? []);
  return owners.includes(user.id) ? user.id : (owners[0] ?? null);
}

/** The owners of the mailboxes that received it. */
const mailOwners = ({ mailboxes = {} }: Carried): string[] => [...new Set(Object.values(mailboxes))];

/** Who owns it: the uploader, or the mailboxes that received it. */
export const ownersOf = (file: File): string[] => (file.user_id === null ? mailOwners(file) : [file.user_id]);

/** Mailboxes and users whose lists have it because of mail. */
export async function mailAudience(table: Table, kinds: RecordKinds, file: Carried): Promise<string[]> {
  const { carriers = [], mailboxes = {} } = file;
  const byThread = Map.groupBy(carriers, ({ thread_id }) => thread_id);
  const holders = await Promise.all(
    [...byThread].map(([thread_id, some]) => {
      const mailbox_ids = some.flatMap((carrier) => carrier.mailbox_ids);
      return kinds.threads?.mail?.openedTo(table, thread_id, mailbox_ids) ?? [];
    }),
  );
  return [...Object.keys(mailboxes), ...holders.flat()];
}
