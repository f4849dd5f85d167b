import { type Clock, wallTime } from '../mail-kit/clock.ts';
import { ada, grace, linus, malik, team, tidewater } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';

const automatic = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  Precedence: 'bulk',
};

function notice(colour: string, heading: string, lines: string[]): string {
  const rows = lines.map((line) => `<p style="margin:0 0 12px 0">${line}</p>`).join('\n');
  return `<!doctype html>
<html><body style="margin:0;background:#eef1f4;font-family:Verdana,Geneva,sans-serif;font-size:13px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px">
<table role="presentation" width="520" cellpadding="0" cellspacing="0" style="background:#ffffff">
<tr><td style="background:${colour};color:#ffffff;padding:14px 20px"><b>${heading}</b></td></tr>
<tr><td style="padding:20px">${rows}
<p style="color:#7a8590;font-size:11px">You receive this because your team follows region north-2.
Nobody reads replies to this address. It is not personal.</p></td></tr></table>
</td></tr></table></body></html>
`;
}

/** Two automatic messages from the hosting company, which share a thread. */
export function statusNotices(clock: Clock): Draft[] {
  const talk = conversation('north-2');
  const subject = '[Tidewater] Elevated errors in region north-2';
  const broken = clock.at(4, '09:58');
  const clockIn = (date: Date) => `${wallTime(date, 'UTC').hh}:${wallTime(date, 'UTC').minute} UTC`;

  const investigating = talk.write({
    from: tidewater,
    to: [team],
    subject,
    sent: broken,
    headers: automatic,
    body: `Investigating since ${clockIn(broken)}: some requests to storage in region north-2 fail or take longer than
      ten seconds. We will write again when we know more, or in an hour, whichever is less embarrassing.`,
    html: notice('#b3402a', 'Investigating: region north-2', [
      `Since ${clockIn(broken)} some requests to storage in region north-2 fail or take longer than ten seconds.`,
      'We will write again when we know more, or in an hour, whichever is less embarrassing.',
    ]),
  });

  talk.reply(investigating, {
    from: tidewater,
    to: [team],
    subject,
    sent: clock.at(4, '11:21'),
    quote: false,
    only: 'html',
    headers: automatic,
    body: 'Resolved.',
    html: notice('#2f7d4f', 'Resolved: region north-2', [
      'Errors are back to their usual level. A cooling fan had stopped, and the fan that watches the fan had agreed with it.',
      'Total duration: 1 hour 23 minutes. A report will follow within five working days.',
    ]),
  });

  return talk.drafts;
}

/** What people made of it afterwards. */
export function outage(clock: Clock): Draft[] {
  const talk = conversation('quiet-hour');

  const question = talk.write({
    from: grace,
    to: [malik],
    cc: [ada, linus],
    subject: 'The quiet hour in north-2',
    sent: clock.at(4, '13:05'),
    body: `Hi Malik,

      Our sensors kept their readings and sent them on once you were back, so nothing is lost, and my heart rate
      has returned to the same level as your error rate.

      Two things I would like to understand before a call with a customer who owns ferries:

      - Why did the second zone not take over?
      - Can we be told by something faster than email? We knew nineteen minutes before your notice did.`,
  });

  const answer = talk.reply(question, {
    from: malik,
    to: [grace],
    cc: [ada, linus],
    sent: clock.at(4, '16:48'),
    bottom: true,
    body: `Hi Grace,

      Both fair. The second zone did not take over because it was asked politely and we have not taught it to
      interrupt. That changes this month: failover will no longer wait for the sick zone to agree that it is sick.

      For the second, there is a webhook. It fires from the monitoring itself and does not wait for a human to
      choose an adjective. I have switched it on for your account.

      And I am sorry. Nineteen minutes is a long time to know something alone.`,
  });

  const followUp = talk.reply(answer, {
    from: linus,
    to: [malik],
    cc: [grace, ada],
    sent: clock.at(3, '01:30'),
    body: `Hello Malik,

      From the Tokyo end: we saw 4,112 readings queue up on the devices and 4,112 arrive afterwards, in order. I
      counted twice because I did not believe it either.

      The webhook works. It rang my telephone at two in the morning as a test. Next time a lunchtime test would
      also be conclusive.`,
  });

  const sorry = talk.reply(followUp, {
    from: malik,
    sent: clock.at(3, '15:10'),
    bottom: true,
    signature: false,
    body: `Lunchtime it is. I had the time zone upside down, which I hear is also how the fan was mounted.`,
  });

  const report = talk.reply(sorry, {
    from: ada,
    to: [malik],
    cc: [grace, linus],
    sent: clock.at(2, '09:20'),
    body: `Malik, thank you for answering like a person. I read your explanation aloud to the team and somebody said
      "I would buy hosting from him", and then remembered that we do.

      Could we have the report by the end of the week? I would like to show our ferry people that we ask.`,
  });

  talk.reply(report, {
    from: malik,
    sent: clock.ago(340),
    body: `You will have it by tomorrow evening. It has a diagram, a timeline and a section called "What the fan
      believed", which legal has surprisingly let me keep.`,
  });

  return talk.drafts;
}
