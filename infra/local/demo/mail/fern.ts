import type { Clock } from '../mail-kit/clock.ts';
import { ada, grace, linus } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';

/** Colleagues reply to each other in plain text, between the lines. */
export function fern(clock: Clock): Draft[] {
  const talk = conversation('fern');
  const plain = { client: 'plain', signature: false } as const;

  const worry = talk.write({
    ...plain,
    from: ada,
    to: [grace, linus],
    subject: 'The office fern is not well',
    sent: clock.at(9, '16:10'),
    body: `It has gone brown at the tips and leans away from the 3D printer.

      Has anyone been watering it? Has everyone? I would like to treat this as an incident without blame.`,
  });

  const between = talk.reply(worry, {
    ...plain,
    from: grace,
    sent: clock.at(9, '18:31'),
    quote: false,
    body: `> It has gone brown at the tips and leans away from the 3D printer.

      So would I, that printer runs at two hundred degrees.

      > Has anyone been watering it? Has everyone?

      I have, on Mondays when I am over. I assumed I was the only one. This is how all double writes begin.`,
  });

  const confession = talk.reply(between, {
    ...plain,
    from: linus,
    to: [grace, ada],
    cc: [],
    sent: clock.at(8, '01:02'),
    body: `I am nine thousand kilometres away and have still been watering it: I asked the cleaner to, in spring, and
      never asked him to stop. We appear to have at-least-once delivery.

      Proposal: one owner, one day, one cup. And a Limpet on the pot, for the logs.`,
  });

  const owner = talk.reply(confession, {
    ...plain,
    from: ada,
    to: [linus, grace],
    cc: [],
    sent: clock.at(8, '09:40'),
    body: `Adopted. I am the owner, Wednesday is the day, and the cup has "FERN" written on it so that nobody drinks
      from it, as happened to the sourdough.`,
  });

  talk.reply(owner, {
    ...plain,
    from: grace,
    to: [ada, linus],
    cc: [],
    sent: clock.at(2, '16:15'),
    quote: false,
    body: `> I am the owner, Wednesday is the day

      One week in: one new frond, curled like a question mark. I consider the incident closed.`,
  });

  return talk.drafts;
}
