import { ImapFlow } from 'imapflow';
import type { Dice } from '../support/dice.ts';
import { eml } from '../support/mail.ts';
import type { ConnectedMailbox } from './connected-mailbox.ts';

/** Another mail program of Ada, and those who write to her: each call is one thing that happens at the server, by chance. */

const FOLDERS = ['INBOX', 'Sent', 'Archive', 'Trash', 'Spam', 'Projects', 'Projects/Übersicht'];
const FLAGS = ['\\Seen', '\\Seen', '\\Flagged', '\\Flagged', '\\Answered', '$Label1'];

export class OtherProgram {
  readonly #box: ConnectedMailbox;
  readonly #dice: Dice;
  readonly #ids: string[] = [];
  #client: ImapFlow | undefined;
  #renamed = 0;

  constructor(box: ConnectedMailbox, dice: Dice) {
    this.#box = box;
    this.#dice = dice;
  }

  /** The server was killed, or something was never asked. */
  async #connected(): Promise<ImapFlow> {
    if (this.#client?.usable) return this.#client;
    const { servers, password } = this.#box;
    const { tls_port: port } = servers.dovecot;
    const auth = { user: 'ada', pass: password };
    const client = new ImapFlow({ host: 'localhost', port, secure: true, auth, logger: false });
    client.on('error', () => {});
    await client.connect();
    for (const path of FOLDERS.slice(5)) await client.mailboxCreate(path);
    this.#client = client;
    return client;
  }

  async stop(): Promise<void> {
    await this.#client?.logout().catch(() => undefined);
  }

  async #paths(): Promise<string[]> {
    return (await (await this.#connected()).list()).map(({ path }) => path);
  }

  /** Works on one message of a folder; false when it has none. */
  async #one(path: string, work: (client: ImapFlow, uid: string) => Promise<unknown>): Promise<boolean> {
    const client = await this.#connected();
    await client.mailboxOpen(path);
    const uids = await client.search({ all: true }, { uid: true });
    if (!uids || uids.length === 0) return false;
    await work(client, String(this.#dice.pick(uids)));
    return true;
  }

  async #some(work: (client: ImapFlow, uid: string) => Promise<unknown>, most: readonly string[] = []) {
    const paths = this.#dice.shuffled([...most, ...(await this.#paths())]);
    for (const path of paths) if (await this.#one(path, work)) return path;
    return 'nothing';
  }

  async arrive(): Promise<string> {
    const dice = this.#dice;
    const client = await this.#connected();
    const id = `walk-${this.#ids.length + 1}@x`;
    const before = this.#ids.length > 0 && dice.chance(50) ? [dice.pick(this.#ids)] : [];
    const own = dice.chance(15);
    const raw = eml({
      ...{
        id,
        subject: `Walk ${this.#ids.length}`,
        references: before,
        text: `${id} ${'x'.repeat(dice.int(1, 3_000))}`,
      },
      ...(own ? { from: this.#box.ada.user.email_address, to: 'priya@ferries.example' } : {}),
    });
    const flags = own ? ['\\Seen'] : dice.some([...new Set(FLAGS)]).filter(() => dice.chance(30));
    const path = own ? 'Sent' : dice.pick(['INBOX', 'INBOX', 'INBOX', 'Projects', 'Spam', 'Archive']);
    await client.append(path, raw, flags, new Date());
    this.#ids.push(id);
    return `${id} in ${path} ${flags.join(' ')} ${before.join('')}`;
  }

  mark(): Promise<string> {
    const [flag, adds] = [this.#dice.pick(FLAGS), this.#dice.chance(60)];
    return this.#some((client, uid) =>
      adds
        ? client.messageFlagsAdd(uid, [flag], { uid: true })
        : client.messageFlagsRemove(uid, [flag], { uid: true }),
    ).then((path) => `${adds ? '+' : '-'}${flag} in ${path}`);
  }

  async move(): Promise<string> {
    const to = this.#dice.pick(await this.#paths());
    const from = await this.#some((client, uid) => client.messageMove(uid, to, { uid: true }));
    return `${from} to ${to}`;
  }

  async copy(): Promise<string> {
    const to = this.#dice.pick(await this.#paths());
    const from = await this.#some((client, uid) => client.messageCopy(uid, to, { uid: true }));
    return `${from} to ${to}`;
  }

  /** Read and archived, as people do it. */
  async readAndFile(): Promise<string> {
    const moved = await this.#one('INBOX', async (client, uid) => {
      await client.messageFlagsAdd(uid, [this.#dice.pick(['\\Seen', '\\Flagged'])], { uid: true });
      await client.messageMove(uid, 'Archive', { uid: true });
    });
    return moved ? 'one' : 'nothing';
  }

  async restore(): Promise<string> {
    const restored = await this.#one('Trash', (client, uid) =>
      client.messageMove(uid, 'INBOX', { uid: true }),
    );
    return restored ? 'one' : 'nothing';
  }

  remove(): Promise<string> {
    return this.#some((client, uid) => client.messageDelete(uid, { uid: true }));
  }

  async rename(): Promise<string> {
    const client = await this.#connected();
    const own = (await this.#paths()).filter((path) => path.startsWith('Projects'));
    const path = this.#dice.pick(own);
    const to = `Projects ${++this.#renamed}`;
    await client.mailboxClose().catch(() => undefined);
    await client.mailboxRename(path, to);
    if (!(await this.#paths()).includes('Projects')) await client.mailboxCreate('Projects');
    return `${path} to ${to}`;
  }

  /** Another folder with the same name. */
  async replace(): Promise<string> {
    const client = await this.#connected();
    const path = this.#dice.pick((await this.#paths()).filter((each) => each.startsWith('Projects ')));
    if (path === undefined) return 'nothing';
    await client.mailboxClose().catch(() => undefined);
    await client.mailboxDelete(path);
    await client.mailboxCreate(path);
    return path;
  }
}
