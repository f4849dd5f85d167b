import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, beatrix, grace } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { pdf } from '../mail-kit/files.ts';

function invoice(number: string, rows: readonly string[], due: Date) {
  return pdf(`invoice-${number}.pdf`, `Invoice ${number}`, [
    'Harbour Print Works, 3 Ropewalk',
    'For: Acme, The Old Chapel, Quay Street',
    '',
    ...rows,
    '',
    `Payable by ${dayName(due)}`,
    'Thank you. The offcuts went to the primary school.',
  ]);
}

/** An invoice with a mistake in it, and the invoice without. */
export function printing(clock: Clock): Draft[] {
  const talk = conversation('invoice');
  const due = clock.ahead(15, '12:00');

  const first = talk.write({
    from: beatrix,
    to: [ada],
    subject: 'Invoice HP-1187 for your labels',
    sent: clock.at(6, '07:55'),
    body: `Good morning,

      Please find attached our invoice HP-1187 for the Limpet labels, with thanks. They looked so well that the
      apprentice has stuck one on the kettle, which now claims to be waterproof to forty metres.`,
    files: [
      invoice(
        'HP-1187',
        [
          '5,000 labels, salt-proof            410.00',
          'Rush fee                             60.00',
          'Total                               470.00',
        ],
        due,
      ),
    ],
  });

  const doubt = talk.reply(first, {
    from: ada,
    cc: [grace],
    sent: clock.at(6, '09:18'),
    body: `Good morning Beatrix,

      The labels are lovely and the kettle is welcome. Two small things about the invoice: we ordered 500, not
      5,000 (Grace has counted, and then counted Grace), and I do not remember a rush. We were, if anything, late.`,
  });

  const corrected = talk.reply(doubt, {
    from: beatrix,
    sent: clock.at(5, '08:40'),
    body: `Oh dear. The extra nought came from the order before yours, and the rush belongs to a wedding. A correct
      invoice is attached; please put the first one in the stove.`,
    files: [
      invoice(
        'HP-1187-B',
        ['500 labels, salt-proof               96.00', 'Total                                96.00'],
        due,
      ),
    ],
  });

  talk.reply(corrected, {
    from: ada,
    cc: [grace],
    sent: clock.at(5, '10:02'),
    quote: false,
    body: `Paid just now. Best wishes to the couple, whoever they are; I hope they got their invitations in time.`,
  });

  return talk.drafts;
}
