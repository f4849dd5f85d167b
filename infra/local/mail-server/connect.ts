import { type Client as ApiClient, createClient } from '#shared/api/client.ts';
import { families } from '../../../functions/catalogue.ts';
import { type DemoFile, demoUser } from '../demo/fill.ts';
import type { LiveMail } from './live.ts';

/** Connects Ada's mailbox of the demo with the mail servers of this machine, and has it read whenever mail arrives. */

type Client = Pick<ApiClient<typeof families>, 'retrieveMailbox' | 'createMailbox' | 'syncMailbox'>;

/** By its owner, with the mail that it has; nothing when an earlier run connected it. */
export async function connectLiveMail(api: Client, id: string, live: LiveMail): Promise<void> {
  const { address: email_address, user: username, password, imap_port, smtp_port } = live;
  const server = { host: 'localhost', tls: true, username, password };
  const { mailbox } = (await api.retrieveMailbox({ params: { id } })).body;
  if (mailbox.provider !== 'imap')
    await api.createMailbox({
      body: {
        mailbox: {
          ...{ provider: 'imap', email_address },
          ...{ imap: { ...server, port: imap_port }, smtp: { ...server, port: smtp_port } },
        },
      },
    });
  live.arrived = () => {
    // A reading that cannot begin now begins when it is due.
    api.syncMailbox({ params: { mailbox_id: id }, body: {} }).catch(() => {});
  };
}

export async function connectDemo(base_url: string, demo: DemoFile, live: LiveMail): Promise<void> {
  const { session_token, mailbox_ids } = demoUser(demo, 'ada');
  const api = createClient(families, { base_url, key: session_token });
  await connectLiveMail(api, `${mailbox_ids[0]}`, live);
}
