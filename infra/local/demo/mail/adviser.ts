import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, otis } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';

/** An old friend gives advice, to Ada alone. */
export function adviser(clock: Clock): Draft[] {
  const talk = conversation('pricing');

  const question = talk.write({
    from: ada,
    to: [otis],
    subject: 'Are we too cheap?',
    sent: clock.at(14, '19:05'),
    body: `Dear Otis,

      A head of procurement is about to ask me for a discount, and for the first time in the history of this
      company I have one to give. It made me wonder whether the price was right to begin with.

      You have sold engines, bicycles and, briefly, fog. How did you know?`,
  });

  const advice = talk.reply(question, {
    from: otis,
    sent: clock.at(13, '08:15'),
    body: `Dear Ada,

      With the engines I asked what an hour of standing still costs the customer, and charged one hour. With the
      bicycles I asked my aunt. With the fog I never knew, which is why it was brief.

      Your ferries lose a day when a bearing goes. You are charging them a cup of tea per sensor. Give the
      discount, be gracious about it, and raise the list price on the first of the month.`,
  });

  const result = talk.reply(advice, {
    from: ada,
    sent: clock.at(3, '20:30'),
    body: `I gave the discount and was gracious for nearly a whole paragraph. They said yes the same week, so you were
      right, and the list price goes up on the first.

      Lunch on ${dayName(clock.ahead(5, '12:00'))}? I am paying, at the new price.`,
  });

  talk.reply(result, {
    from: otis,
    sent: clock.ago(1130),
    body: `Gladly. Somewhere with soup, please. At my age one negotiates chiefly with teeth.

      A brewer I know would like six Limpets for his vats. Could you make him an offer?`,
  });

  return talk.drafts;
}
