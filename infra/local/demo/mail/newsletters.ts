import type { Clock } from '../mail-kit/clock.ts';
import { ada, grace, nightline, team, torque } from '../mail-kit/correspondents.ts';
import { conversation, type Draft, type Person } from '../mail-kit/draft.ts';
import { trackingPixel } from '../mail-kit/images.ts';

interface Item {
  title: string;
  text: string;
  link: string;
}

function issueHtml(number: number, opening: string, items: readonly Item[]): string {
  const articles = items
    .map(
      (item) => `<tr><td style="padding:12px 24px;font-family:Georgia,serif">
<h2 style="font-size:18px;margin:0 0 6px 0"><a href="${item.link}" style="color:#7a2e1d">${item.title}</a></h2>
<p style="font-size:15px;line-height:1.5;margin:0">${item.text}</p></td></tr>`,
    )
    .join('\n');
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html lang="en"><head><title>The Torque Letter, no. ${number}</title>
<style type="text/css">@media only screen and (max-width: 480px) { .sheet { width: 100% !important; } }</style></head>
<body style="margin:0;padding:0;background-color:#f3efe6">
<div style="display:none;max-height:0;overflow:hidden">${opening}</div>
<table class="sheet" align="center" width="600" cellpadding="0" cellspacing="0" border="0" bgcolor="#ffffff">
<tr><td style="padding:24px;font-family:Georgia,serif"><h1 style="margin:0">The Torque Letter</h1>
<p style="margin:4px 0 0 0;color:#777777">No. ${number}. Gently tightened every other week.</p></td></tr>
<tr><td style="padding:0 24px 12px 24px;font-family:Georgia,serif;font-size:15px"><p>${opening}</p></td></tr>
${articles}
<tr><td style="padding:24px;font-family:Arial,sans-serif;font-size:11px;color:#999999">
You signed up for this at a trade fair, possibly for the free spanner.
<a href="https://torqueletter.example/unsubscribe?u=8c1f">Unsubscribe</a> in one turn, anticlockwise.
<img src="cid:${trackingPixel.cid}" width="1" height="1" alt="" style="display:block">
<img src="https://torqueletter.example/open/${number}.png?u=8c1f" width="1" height="1" alt=""></td></tr>
</table></body></html>
`;
}

function issue(
  number: number,
  to: Person,
  sent: Date,
  subject: string,
  opening: string,
  items: readonly Item[],
) {
  const talk = conversation(`issue-${number}`);
  talk.write({
    from: torque,
    to: [to],
    subject,
    sent,
    headers: {
      'List-ID': 'The Torque Letter <letter.torqueletter.example>',
      'List-Unsubscribe': `<https://torqueletter.example/unsubscribe?u=8c1f>, <mailto:leave@torqueletter.example?subject=leave>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'list',
    },
    body: [opening, ...items.flatMap((item) => [item.title.toUpperCase(), `${item.text} ${item.link}`])].join(
      '\n\n',
    ),
    html: issueHtml(number, opening, items),
    images: [trackingPixel],
  });
  return talk.drafts;
}

/** Two issues of a newsletter; one went to Ada, the other to everyone. */
export function newsletters(clock: Clock): Draft[] {
  return [
    ...issue(
      41,
      ada,
      clock.at(12, '06:00'),
      'The Torque Letter no. 41: in praise of the washer',
      'A whole issue about the smallest part in the drawer, and why it is nearly always the right size but one.',
      [
        {
          title: 'What a washer knows',
          text: 'It spreads the load, asks for nothing and is lost under the bench by teatime. A short appreciation.',
          link: 'https://torqueletter.example/41/washer',
        },
        {
          title: 'Reader question: how tight is tight?',
          text: 'Mrs Okafor of Leith writes that her husband and her torque wrench disagree. We side with the wrench.',
          link: 'https://torqueletter.example/41/tight',
        },
      ],
    ),
    ...issue(
      42,
      team,
      clock.at(2, '06:00'),
      'The Torque Letter no. 42: listening to bearings',
      'Before there were sensors there were broom handles. This week we put our ears to the wood.',
      [
        {
          title: 'The broom handle method',
          text: 'One end on the bearing, one end on the bone behind your ear. Hear the rumble? That is Tuesday cancelled.',
          link: 'https://torqueletter.example/42/broom',
        },
        {
          title: 'A small company with a bucket',
          text: 'We visited Acme, who test their sensors in the sea. The gull declined to be interviewed.',
          link: 'https://torqueletter.example/42/bucket',
        },
      ],
    ),
  ];
}

/** A booking confirmation that no human wrote. */
export function sleeperTrain(clock: Clock): Draft[] {
  const talk = conversation('booking-7q2xk');
  talk.write({
    from: nightline,
    to: [grace],
    subject: 'Your berth is confirmed (7Q2XK)',
    sent: clock.at(3, '19:26'),
    only: 'html',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Priority': '3' },
    body: 'Your berth is confirmed.',
    html: `<html><body style="font-family:Tahoma,sans-serif"><h3>Good evening, Grace</h3>
<p>Your berth is confirmed: <b>carriage 12, berth 34, lower</b>. Tea is brought half an hour before arrival.</p>
<table border="1" cellpadding="6" cellspacing="0"><tr><th>Booking</th><th>Name</th><th>Fare</th></tr>
<tr><td>7Q2XK</td><td>Hopper, G.</td><td>&euro;&nbsp;84.00</td></tr></table>
<p>This message was written by a machine, which wishes you a smooth line. Please do not reply to it; it is shy.</p>
</body></html>
`,
  });
  return talk.drafts;
}
