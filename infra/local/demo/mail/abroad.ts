import type { Clock } from '../mail-kit/clock.ts';
import { ada, anna, grace, layla, linus, wei, yumi } from '../mail-kit/correspondents.ts';
import { conversation, type Draft } from '../mail-kit/draft.ts';

/** A partner in Tokyo, in ISO-2022-JP. */
export function tokyo(clock: Clock): Draft[] {
  const talk = conversation('ota');

  const visit = talk.write({
    from: yumi,
    to: [ada],
    cc: [linus],
    subject: '工場見学のお礼と試験結果のご報告',
    sent: clock.at(6, '01:10'),
    body: `| Acme株式会社
      | Lovelace様

      | いつもお世話になっております。
      | 星野精機の佐藤です。

      | 先日はLinusさんに弊社の工場までお越しいただき、
      | ありがとうございました。

      | お借りしたLimpet三台を旋盤に取り付け、一週間の試験を
      | 行いました。二台は「異常なし」、三台目は毎日十五時に
      | 小さな揺れを記録しております。

      | 調べたところ、原因は機械ではなく、おやつの時間に
      | 社長が体操をしているためと判明いたしました。
      | 感度の高さに、一同感心しております。

      | 引き続きよろしくお願い申し上げます。`,
  });

  const answer = talk.reply(visit, {
    from: linus,
    to: [yumi],
    cc: [ada],
    sent: clock.at(6, '04:35'),
    body: `| 佐藤様

      | ご報告ありがとうございます。
      | 社長の体操は、異常ではなく「定期振動」として登録しました。
      | どうぞ安心して続けてください。

      | For Ada: their president does his exercises at three every day, and our sensor can tell. I have filed him
      | under regular vibration.`,
  });

  talk.reply(answer, {
    from: yumi,
    sent: clock.at(4, '00:25'),
    quote: false,
    body: `| Linus様、Lovelace様

      | 社長に伝えたところ、大変喜んでおりました。
      | 「機械に認められた」と申しております。

      | つきましては、Limpetを十二台注文させていただきたく、
      | 来週中に注文書をお送りいたします。`,
  });

  return talk.drafts;
}

/** A laboratory that compares measurements, in Windows-1251. */
export function laboratory(clock: Clock): Draft[] {
  const talk = conversation('volna');

  const findings = talk.write({
    from: anna,
    to: [grace],
    subject: 'Сравнение датчиков: предварительные результаты',
    sent: clock.at(7, '06:50'),
    body: `Уважаемая Грейс!

      Мы закончили сравнение ваших датчиков с нашим эталоном. Эталон занимает половину комнаты и требует тишины,
      а Limpet помещается в карман и тишины не требует. Тем не менее расхождение составило всего 0,7 %.

      - На низких частотах показания совпадают полностью.
      - На высоких ваш датчик чуть осторожнее, чем надо; мы бы поправили один коэффициент.
      - Лабораторный кот спал на обоих приборах и предпочтения не выразил.

      Подробный отчёт пришлю на следующей неделе. Можно ли сослаться на вас в статье?

      С уважением,`,
  });

  const yes = talk.reply(findings, {
    from: grace,
    sent: clock.at(6, '14:30'),
    quote: false,
    body: `Dear Anna,

      0.7 per cent against half a room: I have printed that line and hung it over my desk. Yes, please cite us, and
      please thank the cat for its independence. Which coefficient would you change?`,
  });

  talk.reply(yes, {
    from: anna,
    sent: clock.at(5, '08:15'),
    body: `Третий. Он стоит 0,92, а хочет быть 0,95. Кот благодарит и просит назвать его соавтором; редакция пока думает.`,
  });

  return talk.drafts;
}

/** A foundry with news about castings, in GB 18030. */
export function foundry(clock: Clock): Draft[] {
  const talk = conversation('lianhe');

  const sample = talk.write({
    from: wei,
    to: [ada],
    cc: [grace],
    subject: '第二批外壳样品已寄出',
    sent: clock.at(5, '02:40'),
    body: `Ada 您好：

      第二批外壳样品今天已经寄出，一共二十件，预计五个工作日到达。

      上次您提到边缘有一点毛刺，我们已经更换了模具，并请车间最挑剔的王师傅逐件检查。他检查了三遍，只说了两个字：“还行。”在我们这里，这是最高评价。

      随箱附上一小包明前龙井，请大家尝尝。🍵

      祝工作顺利！`,
  });

  const thanks = talk.reply(sample, {
    from: ada,
    sent: clock.at(4, '08:20'),
    quote: false,
    body: `Dear Mr Chen,

      Thank you, also to Master Wang. I asked a friend to explain "hai xing" to me and we are all rather moved. The
      tea will be treated with the respect it deserves, which rules out the kettle in the workshop.`,
  });

  talk.reply(thanks, {
    from: wei,
    subject: '回复: 第二批外壳样品已寄出',
    sent: clock.at(3, '01:55'),
    body: `Ada 您好：

      我把您的话转告了王师傅，他今天的心情“还行”。收到样品后请告诉我们结果，如果满意，月底可以开始量产。`,
  });

  return talk.drafts;
}

/** A translator with questions about the manual, in Arabic. */
export function manual(clock: Clock): Draft[] {
  const talk = conversation('manual');

  const question = talk.write({
    from: layla,
    to: [ada],
    subject: 'سؤال حول ترجمة دليل الاستخدام',
    sent: clock.at(3, '08:30'),
    body: `مرحبًا آدا،

      انتهيت من ترجمة الفصول الثلاثة الأولى من الدليل، وقد استمتعت كثيرًا بقصة الدلو والنورس. بقي لديّ سؤال واحد قبل أن أكمل:

      كلمة Limpet تعني حيوانًا بحريًا صغيرًا يتشبث بالصخور. هل أترك الاسم كما هو، أم أضيف شرحًا قصيرًا؟ القارئ عندنا يحب أن يعرف لماذا سُمّي الشيء باسمه.

      مع أطيب التحيات،`,
  });

  const answer = talk.reply(question, {
    from: ada,
    sent: clock.at(3, '10:55'),
    body: `Dear Layla,

      Keep the name and add the explanation, please. A thing that is small, stubborn and fond of the sea deserves a
      sentence of its own. And thank you for keeping the gull.`,
  });

  talk.reply(answer, {
    from: layla,
    sent: clock.at(2, '07:45'),
    body: `تمام. سأكتب: «سُمّي الجهاز باسم كائن صغير لا يترك مكانه مهما اشتد الموج». أظن أن النورس سيوافق أيضًا.

      ستصلك النسخة الكاملة قبل نهاية الأسبوع.`,
  });

  return talk.drafts;
}
