import { describe, expect, it } from 'vitest';
import { isMachine, isNobody } from '#shared/domain/mail/mime/machines.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { eml } from '../../../support/mail.ts';

const parsed = (headers: string[]) =>
  parseMessage(
    eml({ id: 'a@x', to: 'dev@lists.example, ada@acme.example', headers: [...headers, 'X-A: b'] }),
  );

describe('the traces of servers', () => {
  it.each([
    [false, 'none', []],
    [false, 'a login', ['Received: from pc (host [192.0.2.1]) by mx.example with ESMTPSA id 1; x']],
    [false, 'a web client', ['Received: by 10.1.1.1 with HTTP; Mon, 2 Nov 2026 10:00:00 +0000']],
    [
      false,
      'an Exchange client',
      ['Received: from a by b with mapi id 15; x', 'Received: from a by b with HTTPS; x'],
    ],
    [true, 'delivery', ['Received: from evil by mx.example with ESMTPS id 1; x']],
    [
      true,
      'delivery in a company',
      ['Received: from a by b with HTTPS; x', 'Received: from evil by a with SMTP; x'],
    ],
    [
      true,
      'a login that the sender claims',
      ['Received: by mx.example with ESMTP; x', 'Received: by y with ESMTPSA; x'],
    ],
    [true, 'a login in a comment', ['Received: from evil (with ESMTPSA) by mx.example with ESMTP id 1; x']],
    [true, 'no protocol', ['Received: from evil by mx.example; x']],
    [true, 'a mailbox', ['Delivered-To: ada@acme.example', 'Received: by mx.example with ESMTPSA; x']],
  ])('%s: %s', async (delivered, _, headers) => {
    expect((await parsed(headers)).delivered).toBe(delivered);
  });

  it('name lists', async () => {
    const { list_addresses } = await parsed([
      'List-Id: Developers <dev.lists.example>',
      'List-Post: <mailto:People@python.example?subject=x>, <https://python.example>',
    ]);
    expect(list_addresses).toEqual(['people@python.example', 'dev@lists.example']);
    expect((await parsed(['List-Post: NO', 'List-Id: <other.example>'])).list_addresses).toEqual([]);
  });
});

describe('an address', () => {
  it.each([
    'no-reply@x.example',
    'noreply+1@x.example',
    'bounces+2=3@x.example',
    'mailer-daemon@x.example',
    'dev-bounces@x.example',
    'dev-request@x.example',
    'unsubscribe@x.example',
    'unsubscribe+abc@x.example',
    'list-manager@x.example',
    'acme-noreply@x.example',
    'reply+abcdefghijklmnop@reply.x.example',
    'dev@lists.x.example',
    'dev@googlegroups.com',
    'dev@groups.io',
    'dev@acme.groups.io',
  ])('%s is nobody', (address) => expect(isNobody(address)).toBe(true));

  it.each(['ada@x.example', 'info@x.example', 'replyton@x.example', 'joanna.join@x.example'])(
    '%s is somebody',
    (address) => expect([isNobody(address), isMachine(address)]).toEqual([false, false]),
  );
});
