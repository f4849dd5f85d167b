import type { Config } from '#shared/config.ts';
import type { AsksMailProviders } from '#shared/domain/mail/consent/provider.ts';

/** The port to mail servers: IMAP for what is stored there, SMTP for what is sent. */

/** How the service signs in to one server. */
export interface ServerLogin {
  host: string;
  port: number;
  /** TLS from the first byte; otherwise by STARTTLS. */
  tls: boolean;
  username: string;
  /** An access token is sent by XOAUTH2. */
  secret: { password: string } | { access_token: string };
}

/** What a folder is for: by its special use (RFC 6154), otherwise by its name. */
export type FolderRole = 'inbox' | 'sent' | 'drafts' | 'trash' | 'spam' | 'archive' | 'all';

export interface ServedFolder {
  /** As the server wants it in commands, decoded: `Projects/2026`. */
  path: string;
  role: FolderRole | null;
  /** Of the folder itself, whatever its name (RFC 8474); null where the server has none. */
  server_id: string | null;
}

/** Of one moment. */
export interface FolderState {
  uidvalidity: string;
  uidnext: number;
  messages: number;
  /** Grows with every change of flags (RFC 7162); null where the server has none. */
  modseq: string | null;
}

/** A message in a folder: UIDs name messages only together with the folder and its UIDVALIDITY. */
export interface ServedCopy {
  uid: number;
  /** Bytes. */
  size: number;
  seen: boolean;
  flagged: boolean;
  /** `\Draft`: also in folders of other roles, such as that of all mail. */
  draft?: boolean;
  /** INTERNALDATE. */
  received_at: Date | null;
}

/** A folder as it was when its UIDs were learned. */
export interface FolderPlace {
  path: string;
  uidvalidity: string;
}

export interface Uids {
  from: number;
  /** Missing for all that follow. */
  to?: number;
}

/** `\Seen`, `\Flagged`, `\Answered` and keywords. */
export interface FlagChange {
  add?: readonly string[];
  remove?: readonly string[];
}

/**
 * A session at the server that stores a mailbox. Its calls run one after the other; all throw the errors of failures.ts, and
 * FolderChanged when a folder is no longer the one of its `FolderPlace`. Reading marks nothing as read.
 */
export interface MailStore {
  /** Those that hold messages. */
  folders(): Promise<ServedFolder[]>;
  state(path: string): Promise<FolderState>;
  /** Ascending. With `since`, a MODSEQ, only those that changed later, new ones included. */
  copies(place: FolderPlace, uids: Uids, since?: string): Promise<ServedCopy[]>;
  /** All UIDs of the folder, ascending. */
  uids(place: FolderPlace): Promise<number[]>;
  /** The first `most` bytes of the message; undefined when it is gone. */
  read(place: FolderPlace, uid: number, most: number): Promise<Uint8Array | undefined>;
  setFlags(place: FolderPlace, uids: readonly number[], change: FlagChange): Promise<void>;
  /** The UIDs of messages with exactly this Message-ID, which is written without angle brackets. */
  find(path: string, message_id: string): Promise<number[]>;
  append(path: string, raw: Uint8Array, flags: readonly string[], at: Date): Promise<void>;
  move(place: FolderPlace, uids: readonly number[], path: string): Promise<void>;
  close(): Promise<void>;
}

export interface Envelope {
  from: string;
  /** Each address once, `Bcc` included. */
  to: readonly string[];
}

/** A server that takes mail from a mailbox. */
export interface MailTransport {
  /**
   * To all recipients or to none. Throws RecipientsRefused, MessageTooLarge, MessageRefused, LoginRefused, ServerUnreachable,
   * TryLater before anything was accepted; DeliveryUnknown when that cannot be told.
   */
  send(envelope: Envelope, raw: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Sessions end when `signal` aborts. Both sign in before they resolve. */
export interface MailServers {
  openStore(login: ServerLogin, signal: AbortSignal): Promise<MailStore>;
  openTransport(login: ServerLogin, signal: AbortSignal): Promise<MailTransport>;
}

export interface ReachesMailServers extends AsksMailProviders {
  mail_server: (config: Pick<Config, 'mail_private_hosts'>) => MailServers;
}
