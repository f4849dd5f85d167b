import type { Clock } from '../mail-kit/clock.ts';
import { ada, copier, grace, linus, pemberton } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { pdf } from '../mail-kit/files.ts';

/** A scan from a machine too old to have heard of Message-ID. */
export function scan(clock: Clock): Draft[] {
  const talk = conversation('scan');
  talk.write({
    from: copier,
    to: [ada],
    subject: 'Scan from the hallway copier',
    sent: clock.at(5, '12:03'),
    withoutMessageId: true,
    body: `| Pages: 1
      | Resolution: 300 dpi
      | Toner: some`,
    files: [
      pdf('SCAN0001.PDF', 'Lost and found', [
        'One glove, left, woollen.',
        'One cup marked FERN.',
        'One gull feather. Not ours to keep, says Linus.',
      ]),
    ],
  });
  return talk.drafts;
}

/** Written in a hurry, without a subject. */
export function hurry(clock: Clock): Draft[] {
  const talk = conversation('hurry');
  const key = talk.write({
    from: linus,
    to: [ada],
    subject: null,
    sent: clock.at(2, '08:47'),
    signature: ['Sent from my iPhone'],
    body: `Is the spare key still behind the drainpipe? Asking for the courier, who is standing next to it.`,
  });
  talk.reply(key, {
    from: ada,
    sent: clock.at(2, '08:58'),
    quote: false,
    signature: false,
    body: `It is behind the other drainpipe. We moved it for security.`,
  });
  return talk.drafts;
}

/** The landlady, who writes plain text and replies below the quote. */
export function boiler(clock: Clock): Draft[] {
  const talk = conversation('boiler');

  const notice = talk.write({
    from: pemberton,
    to: [ada],
    cc: [grace],
    subject: 'The boiler at the Old Chapel',
    sent: clock.at(19, '09:00'),
    body: `Dear Miss Lovelace,

      The boiler man is coming to look at the boiler. He asks that nobody attach anything to it beforehand, as he
      did find something attached to it last year and it followed his screwdriver about the room.

      Yours sincerely,`,
  });

  const sorry = talk.reply(notice, {
    from: ada,
    client: 'plain',
    sent: clock.at(18, '08:45'),
    body: `Dear Mrs Pemberton,

      That was one of our sensors, and I apologise to the boiler man and to his screwdriver. It did say the pump
      would fail in March. Would he like to know what it says now?`,
  });

  talk.reply(sorry, {
    from: pemberton,
    sent: clock.at(16, '10:10'),
    bottom: true,
    body: `The pump did fail in March. He says you may put it back, and might he have one for his own.`,
  });

  return talk.drafts;
}
