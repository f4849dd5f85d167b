import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, grace, linus, wren } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';
import { housingWithClips, housingWithFeet } from '../mail-kit/images.ts';

/** A design review with a drawing in nearly every message. */
export function housing(clock: Clock): Draft[] {
  const talk = conversation('housing');
  const tooling = clock.ahead(8, '12:00');

  const review = talk.write({
    from: grace,
    to: [wren],
    cc: [linus],
    subject: 'Housing, second version: where do the clips go?',
    sent: clock.at(8, '15:30'),
    body: `Hi Wren,

      Here is the housing as it stands, with the clips at the top:

      ![housing-clips@acme.example]

      It closes with a lovely click. It also opens with a lovely click, when dropped from a ladder, which Linus
      has now done eleven times in the name of science. Do you see a way to keep the first click only?`,
    images: [housingWithClips],
  });

  const sketch = talk.reply(review, {
    from: wren,
    to: [grace],
    cc: [linus, ada],
    sent: clock.at(7, '12:12'),
    body: `Hello Grace,

      Falling things land on their shoulders, and you have put the clips exactly there. If they move down to the
      feet, the magnet holds them shut while the sensor is in use:

      ![housing-feet@ashdown.example]

      You lose two millimetres of magnet. In return the dome comes off only if you mean it. I have added Ada, as
      two millimetres of magnet is also a sum of money.`,
    images: [housingWithFeet],
  });

  const drop = talk.reply(sketch, {
    from: linus,
    to: [wren, grace],
    cc: [ada],
    sent: clock.at(6, '02:40'),
    body: `I printed Wren's version overnight and took it up the ladder. Twenty drops, no openings, one apology to the
      neighbour downstairs.

      The pull is 9 per cent weaker and still well above what we promise. I vote feet.`,
  });

  const agreed = talk.reply(drop, {
    from: ada,
    to: [wren, grace, linus],
    cc: [],
    sent: clock.at(5, '09:50'),
    quote: false,
    body: `Feet it is. Wren, what do you need from us so that the tooling can start on ${dayName(tooling)}?`,
  });

  talk.reply(agreed, {
    from: wren,
    to: [ada, grace],
    cc: [linus],
    sent: clock.at(4, '17:22'),
    body: `Three things: a signed drawing, the colour, and a promise that nobody will call it "sea foam". It is green.

      I will bring printed samples when I am next in Quay Street. Please hide the ladder.`,
  });

  return talk.drafts;
}
