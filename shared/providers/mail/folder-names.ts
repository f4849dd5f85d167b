import type { FolderRole } from '#shared/domain/mail/servers/server.ts';

/**
 * Names of usual folders that imapflow 2.1 does not know, as Outlook, Apple Mail and large providers write them, in lower
 * case. test/providers/mail/folder-names.test.ts has those of both, in 24 languages.
 */
const NAMES: Partial<Record<FolderRole, readonly string[]>> = {
  sent: [
    ...['objets envoyés', 'skickade objekt', 'gönderilenler', '已傳送', '已发邮件', '보낸편지함'],
    ...['보낸 메일함', 'العناصر المرسلة'],
  ],
  drafts: ['robocze', 'schițe', '草稿夹', '임시보관함'],
  trash: ['messages supprimés', 'søppel', 'κάδος', '已删除', '刪除的郵件', '지운편지함'],
  spam: [
    ...['unerwünscht', 'spamverdacht', 'quarantaine', 'correio electrónico não solicitado', 'e-mail nedorit'],
    ...['스팸메일함', 'البريد غير الهام', 'البريد العشوائي', 'البريد غير المرغوب فيه', 'ספאם'],
  ],
  archive: ['αρχείο'],
};

const roles = new Map(
  Object.entries(NAMES).flatMap(([role, names]) => names.map((name) => [name, role as FolderRole] as const)),
);

/** Of the last part of a path. */
export const roleByName = (name: string): FolderRole | null =>
  roles.get(name.normalize('NFC').trim().toLowerCase()) ?? null;
