import { describe, expect, it } from 'vitest';
import { deliveryReport } from '#shared/domain/mail/mime/delivery-report.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { reportMail } from '../../../support/delivery-reports.ts';

/** Reports as servers write them. */

const read = async (raw: Buffer) => deliveryReport((await parseMessage(raw)).attachments);
const PRIYA = ['Final-Recipient: rfc822; Priya@Ferries.example', 'Action: failed', 'Status: 5.1.1'];
const priya = { addresses: ['priya@ferries.example'], action: 'failed', code: '5.1.1', diagnostic: null };

describe('a delivery report', () => {
  it('says which mail did not reach whom, and why', async () => {
    const raw = reportMail('1@acme.example', [
      [
        ...['Original-Recipient: rfc822;desk@x.example', 'Final-Recipient: rfc822; <Desk@y.example>'],
        ...['Action: failed', 'Status: 5.7.1 (refused)', 'Remote-MTA: dns; mx.x.example'],
        ...['Diagnostic-Code: smtp; 550 5.7.1', ' No <b>thanks</b>'],
      ],
      ['Final-Recipient: rfc822;cy@x.example', 'Action: delayed', 'Status: 4.4.1', 'Will-Retry-Until: soon'],
      ['Final-Recipient: rfc822;zoe@x.example', 'Action: delivered', 'Status: 2.0.0'],
      ['Final-Recipient: rfc822;bo@x.example', 'Action: relayed', 'Status: 2.0.0'],
    ]);
    expect(await read(raw)).toEqual({
      rfc_id: '1@acme.example',
      recipients: [
        {
          addresses: ['desk@x.example', 'desk@y.example'],
          action: 'failed',
          code: '5.7.1',
          diagnostic: '550 5.7.1 No <b>thanks</b>',
        },
        { addresses: ['cy@x.example'], action: 'delayed', code: '4.4.1', diagnostic: null },
      ],
    });
  });

  it.each<[string, Parameters<typeof reportMail>[2]]>([
    ['the whole mail', { returned: 'message/rfc822' }],
    ['its header alone', { returned: 'text/rfc822-headers' }],
    ['a mail with other letters', { returned: 'message/global', status: 'message/global-delivery-status' }],
    ['its header with other letters', { returned: 'message/global-headers' }],
    ['parts in base64', { encoding: 'base64' }],
    ['parts in quoted-printable', { encoding: 'quoted-printable' }],
    ['line feeds alone', { newline: '\n' }],
    ['types in capitals', { returned: 'MESSAGE/RFC822', status: 'Message/Delivery-Status' }],
    ['no word for people', { words: null }],
  ])('with %s', async (_, options) => {
    expect(await read(reportMail('1@acme.example', [PRIYA], options))).toEqual({
      ...{ rfc_id: '1@acme.example', recipients: [priya] },
    });
  });

  it.each([
    ['in UTF-8', Buffer.from('Empfänger unbekannt'), 'Empfänger unbekannt'],
    ['in Latin-1', Buffer.from('Empfänger unbekannt', 'latin1'), 'Empfänger unbekannt'],
    ['with control characters', Buffer.from('No\u0000\u001b[31m way'), 'No [31m way'],
    ['that is long', Buffer.from('x'.repeat(9_000)), 'x'.repeat(255)],
  ])('with words of the server %s', async (_, words, diagnostic) => {
    const field = Buffer.concat([Buffer.from('Diagnostic-Code: smtp; '), words]).toString('latin1');
    const report = await read(reportMail('1@acme.example', [[...PRIYA, field]], { charset: 'latin1' }));
    expect(report?.recipients).toEqual([{ ...priya, diagnostic }]);
  });

  it('is none without its parts, or without the Message-ID', async () => {
    expect(await read(reportMail('1@acme.example', [PRIYA], { returned: null }))).toBeUndefined();
    expect(await read(reportMail('1@acme.example', [PRIYA], { status: 'text/plain' }))).toBeUndefined();
    expect(await read(reportMail(null, [PRIYA]))).toBeUndefined();
    expect(await read(Buffer.from('Subject: Undelivered\r\n\r\nAction: failed\r\n'))).toBeUndefined();
  });

  it('has as many recipients as a mail of the service, and is read to 64 KB', async () => {
    const many = Array.from({ length: 600 }, (_, i) => [
      `Final-Recipient: rfc822; u${i}@x`,
      'Action: failed',
    ]);
    expect((await read(reportMail('1@acme.example', many)))?.recipients).toHaveLength(500);
    const long = [[...PRIYA, `X-Note: ${'x'.repeat(70_000)}`], PRIYA];
    expect((await read(reportMail('1@acme.example', long)))?.recipients).toEqual([priya]);
  });
});
