import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mailServersAt } from '#shared/providers/mail/servers.ts';
import { ImapServer } from '../../support/imap-server.ts';

/** As programs and providers of each language call them: sent, drafts, trash, spam, archive. */
const NAMES: Record<string, [sent: string, drafts: string, trash: string, spam: string, archive: string][]> =
  {
    English: [
      ['Sent Items', 'Drafts', 'Deleted Items', 'Junk E-mail', 'Archive'],
      ['Sent Messages', 'Drafts', 'Deleted Messages', 'Junk', 'Archive'],
      ['Sent Mail', 'Drafts', 'Trash', 'Bulk Mail', 'Archives'],
    ],
    German: [
      ['Gesendete Elemente', 'Entwürfe', 'Gelöschte Elemente', 'Junk-E-Mail', 'Archiv'],
      ['Gesendet', 'Entwürfe', 'Papierkorb', 'Spamverdacht', 'Archiv'],
      ['Gesendete Objekte', 'Entwürfe', 'Gelöschte Objekte', 'Unerwünscht', 'Archiv'],
    ],
    French: [
      ['Éléments envoyés', 'Brouillons', 'Éléments supprimés', 'Courrier indésirable', 'Archives'],
      ['Objets envoyés', 'Brouillons', 'Messages supprimés', 'Quarantaine', 'Archives'],
    ],
    Spanish: [['Elementos enviados', 'Borradores', 'Papelera', 'Correo no deseado', 'Archivo']],
    Italian: [['Posta inviata', 'Bozze', 'Cestino', 'Posta indesiderata', 'Archivio']],
    Portuguese: [
      ['Itens Enviados', 'Rascunhos', 'Lixeira', 'Lixo Eletrônico', 'Arquivo'],
      ['Enviados', 'Rascunhos', 'Itens eliminados', 'Correio electrónico não solicitado', 'Arquivo'],
    ],
    Dutch: [['Verzonden items', 'Concepten', 'Verwijderde items', 'Ongewenste e-mail', 'Archief']],
    Polish: [
      ['Elementy wysłane', 'Kopie robocze', 'Kosz', 'Wiadomości-śmieci', 'Archiwum'],
      ['Wysłane', 'Robocze', 'Elementy usunięte', 'Spam', 'Archiwum'],
    ],
    Russian: [['Отправленные', 'Черновики', 'Корзина', 'Нежелательная почта', 'Архив']],
    Ukrainian: [['Надіслані', 'Чернетки', 'Кошик', 'Спам', 'Архів']],
    Czech: [['Odeslaná pošta', 'Koncepty', 'Odstraněná pošta', 'Nevyžádaná pošta', 'Archiv']],
    Swedish: [
      ['Skickat', 'Utkast', 'Borttagna objekt', 'Skräppost', 'Arkiv'],
      ['Skickade objekt', 'Utkast', 'Papperskorgen', 'Spam', 'Arkiv'],
    ],
    Danish: [['Sendt post', 'Kladder', 'Slettet post', 'Uønsket e-mail', 'Arkiv']],
    Norwegian: [['Sendte elementer', 'Utkast', 'Søppel', 'Søppelpost', 'Arkiv']],
    Finnish: [['Lähetetyt', 'Luonnokset', 'Poistetut', 'Roskaposti', 'Arkisto']],
    Hungarian: [['Elküldött elemek', 'Piszkozatok', 'Törölt elemek', 'Levélszemét', 'Archívum']],
    Turkish: [
      ['Gönderilmiş Öğeler', 'Taslaklar', 'Silinmiş Öğeler', 'Önemsiz E-posta', 'Arşiv'],
      ['Gönderilenler', 'Taslaklar', 'Çöp Kutusu', 'Spam', 'Arşiv'],
    ],
    Romanian: [['Elemente trimise', 'Schițe', 'Elemente șterse', 'E-mail nedorit', 'Arhivă']],
    Greek: [['Απεσταλμένα', 'Πρόχειρα', 'Κάδος', 'Ανεπιθύμητη αλληλογραφία', 'Αρχείο']],
    Japanese: [
      ['送信済みアイテム', '下書き', '削除済みアイテム', '迷惑メール', 'アーカイブ'],
      ['送信済みメール', '下書き', 'ごみ箱', '迷惑メール', 'アーカイブ'],
    ],
    Chinese: [
      ['已发送', '草稿箱', '已删除', '垃圾邮件', '归档'],
      ['已发邮件', '草稿夹', '已删除邮件', '垃圾邮件', '存档'],
      ['已傳送', '草稿', '刪除的郵件', '垃圾郵件', '封存'],
    ],
    Korean: [
      ['보낸 편지함', '임시 보관함', '지운 편지함', '정크 메일', '보관함'],
      ['보낸편지함', '임시보관함', '지운편지함', '스팸메일함', '보관함'],
    ],
    Arabic: [
      ['العناصر المرسلة', 'المسودات', 'العناصر المحذوفة', 'البريد غير الهام', 'الأرشيف'],
      ['العناصر المرسلة', 'مسودات', 'المهملات', 'البريد العشوائي', 'الأرشيف'],
    ],
    Hebrew: [['פריטים שנשלחו', 'טיוטות', 'פריטים שנמחקו', 'ספאם', 'ארכיון']],
  };

describe('folders of a server that does not say what they are for', () => {
  let server: ImapServer;
  beforeAll(async () => {
    server = await new ImapServer().start();
  });
  afterAll(() => server.stop());
  afterEach(() => server.users.clear());

  const rolesOf = async (paths: string[], attributes: string[][] = []) => {
    const served = server.user('ada');
    served.folders.clear();
    served.create('INBOX');
    paths.forEach((path, i) => {
      served.create(path, attributes[i]);
    });
    const login = { host: '127.0.0.1', port: server.port, tls: false, username: 'ada' };
    const secret = { password: 'right password' };
    const store = await mailServersAt(true).openStore({ ...login, secret }, AbortSignal.timeout(20_000));
    const folders = await store.folders();
    await store.close();
    return paths.map((path) => folders.find((folder) => folder.path === path)?.role);
  };

  it.each(Object.entries(NAMES))('are known by their names in %s', async (_, all) => {
    for (const names of all) {
      const roles = ['sent', 'drafts', 'trash', 'spam', 'archive'];
      expect(await rolesOf([...names]), names.join()).toEqual(roles);
      // Letters that are composed, as some programs write them.
      expect(await rolesOf(names.map((name) => `INBOX/${name.normalize('NFD')}`))).toEqual(roles);
    }
  });

  it('are those that the server names, where it does; another one with such a name is a folder like others', async () => {
    const paths = ['Sent', 'Objets envoyés', '已删除'];
    expect(await rolesOf(paths, [['\\Sent']])).toEqual(['sent', null, 'trash']);
  });
});
