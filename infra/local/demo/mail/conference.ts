import { type Clock, dayName } from '../mail-kit/clock.ts';
import { ada, ines, linus } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';

/** An invitation to speak, which only Ada and Linus see. */
export function conference(clock: Clock): Draft[] {
  const talk = conversation('small-machines');
  const deadline = clock.ahead(12, '17:00');

  const invitation = talk.write({
    from: ines,
    to: [ada],
    subject: 'Would you open Small Machines in Porto?',
    sent: clock.at(17, '10:08'),
    body: `Dear Ada,

      Small Machines is a conference for people who build things you can hold in one hand. There are two hundred
      of us, one track, no sponsors on stage, and a bakery across the road that has been warned.

      We would love you to open it: forty minutes, on anything, so long as it is true and there is a mistake in
      it somewhere. Our audience learns best from mistakes, and remembers the ones with photographs.

      Warmly,`,
  });

  const yes = talk.reply(invitation, {
    from: ada,
    cc: [linus],
    sent: clock.at(15, '09:12'),
    body: `Dear Inês,

      With pleasure. I have a talk called "The bucket: a year of testing in the sea", in which the sensors
      survive and nearly nothing else does. There are photographs, and a gull.

      Linus is copied, because it was his bucket. Could he have ten of the forty minutes by video?`,
  });

  const slot = talk.reply(yes, {
    from: ines,
    sent: clock.at(14, '16:36'),
    body: `Ten minutes by video, granted, and I have given the gull its own line in the programme.

      We need a summary of about a hundred words by ${dayName(deadline)}. Please do not polish it. Polished
      summaries frighten the first-time speakers.`,
  });

  const summary = talk.reply(slot, {
    from: linus,
    to: [ines],
    cc: [ada],
    sent: clock.at(4, '03:15'),
    client: 'apple',
    signature: ['Sent from my iPhone'],
    body: `Dear Inês, an unpolished summary, typed on a train:

      We put twelve sensors in a bucket, and the bucket in the sea, and wrote down what happened. In March the
      handle broke. In June a gull moved in. In October we found that eleven sensors were fine and the twelfth
      had been reporting, faithfully, the temperature of a gull. We explain what we changed.

      Is that short enough?`,
  });

  talk.reply(summary, {
    from: ines,
    sent: clock.at(3, '11:27'),
    body: `It is exactly right, and two of us are now emotionally involved with the gull. Confirmed: first slot,
      half past nine. I will send train times next week.`,
  });

  return talk.drafts;
}
