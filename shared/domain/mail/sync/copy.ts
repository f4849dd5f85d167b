import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';

/** One message in one folder at a server. It is stored twice: by its UID, and by its message. */
export type MailCopy = Item & {
  account_id: string;
  mailbox_id: string;
  folder_id: string;
  uidvalidity: string;
  uid: number;
  /**
   * `skipped`: a draft, older than the mailbox begins, or in a folder of all mail and in another one as well. `begun`: its
   * message was delivered, and not all that follows is done; it is known by its UID alone.
   */
  outcome: 'begun' | 'imported' | 'skipped' | 'failed';
  /** The message that it is here, and the hash of its Message-ID; null for one that is not here. */
  message_id: string | null;
  id_hash: string | null;
  /** As the server has them, for all that the service knows. What differs at the server was changed there. */
  seen: boolean;
  flagged: boolean;
  /** How often marks were noted since it was stored. */
  noted?: number;
  /** Of one that is older than the mailbox begins. */
  received_at?: string;
  failure?: CopyFailure;
};

/** Why a message could not be read, as in `sync_report`. */
export interface CopyFailure {
  failed_at: string;
  rfc_id: string | null;
  subject: string | null;
  reason: string;
  attempts: number;
  /** Null after the last one. */
  next_attempt_at: string | null;
}

type Place = Pick<MailCopy, 'folder_id' | 'uidvalidity' | 'uid'>;

export const copyKey = ({ folder_id, uidvalidity, uid }: Place) => keys.mailCopy(folder_id, uidvalidity, uid);

export const nameOfCopy = ({ folder_id, uidvalidity, uid }: Place) => `${folder_id} ${uidvalidity} ${uid}`;

/** What delivers the message: the same copy is the same delivery. */
export const sourceOfCopy = ({ folder_id, uidvalidity, uid }: Place) =>
  `copy#${folder_id}#${uidvalidity}#${uid}`;

/** Undefined for a source of another kind. */
export function copyOfSource(source: string): Place | undefined {
  const [kind, folder_id = '', uidvalidity = '', uid] = source.split('#');
  return kind === 'copy' ? { folder_id, uidvalidity, uid: Number(uid) } : undefined;
}
