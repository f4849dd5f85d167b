/** The words, in many languages, by which mail programs announce a quote or a forwarded message. */

const words = (text: string) => text.trim().split(/\s*\|\s*/);

/** Words for "wrote" in attribution lines. */
export const WROTE = words(
  'wrote | writes | said | schrieb | schrieben | a écrit | a ecrit | écrit | escribió | escribio | escribía | ' +
    'ha scritto | scrisse | scrive | escreveu | schreef | geschreven | skrev | skreiv | kirjoitti | napisał(a) | ' +
    'napisał | napisała | pisze | написал(а) | написал | написала | пишет | писал | писал(а) | пише | написав | ' +
    'написала(в) | написав(ла) | napsal(a) | napsal | napsala | napísal(a) | napísal | napísala | ezt írta | írta | ' +
    'a scris | şunu yazdı | yazdı | tarihinde şunu yazdı | έγραψε | כתב | כתבה | كتب | đã viết | menulis | va escriure | ' +
    'je napisao | je napisala | napisao | rašė | rakstīja | kirjutas | 写道 | 寫道 | 写到 | 编写 | さんは書きました | ' +
    'のメール | 書き込みました | 님이 작성 | 님이 씀 | wrote in',
);

/** The beginnings of attribution lines that are long enough to be folded. */
export const LEAD =
  /^(?:On|At|In|Am|Vom|Le|El|Il|Em|No dia|A|Op|Den|Den|På|Pe|W dniu|Dnia|Dne|Dňa|Em|Στις|Vào|Pada|El dia|Quoting|Excerpts from|Citát|Zitat von|В|Пн|Вт|Ср|Чт|Пт|Сб|Вс|בתאריך|في|在|于)(?=[\s\d,.:：])/u;

/** What separates an answer from an attribution on the same line, before the first word and the day of a date. */
export const INLINE_LEAD =
  /(?:\s|-{2,}\s?)(?=(?:On|Am|Le|El|Il|Il giorno|Em|No dia|Op|Den|På|Pe|W dniu|Dnia|Dne|Dňa|Στις|Vào)\s(?:\p{L}{1,15}[.,]{0,2}\s){0,2}\d)/gu;

const KINDS = {
  from: 'From|Von|De|Da|Van|Från|Fra|Lähettäjä|Od|От|Від|Відправник|Feladó|Kimden|Gönderen|De la|Από|差出人|送信者|发件人|寄件者|寄件人|보낸 사람|보낸사람|From address',
  date: 'Message du|Envoyé le|Sent|Date|Gesendet|Datum|Gesendet am|Envoyé|Date d’envoi|Enviado|Enviado el|Enviado em|Enviada em|Fecha|Inviato|Data|Verzonden|Skickat|Sendt|Lähetetty|Päivämäärä|Wysłano|Data wysłania|Отправлено|Дата|Надіслано|Odesláno|Odoslané|Elküldve|Küldve|Gönderildi|Tarih|Trimis|Dată|Dato|Ημερομηνία|Εστάλη|送信日時|日時|日付|发送时间|发送日期|日期|寄件日期|傳送時間|時間|时间|보낸 날짜|날짜',
  to: 'To|An|À|A|Para|Aan|Till|Til|Vastaanottaja|Do|Кому|Komu|Címzett|Kime|Alıcı|Către|Προς|宛先|收件人|收件者|받는 사람|받는사람|Cc|Kopie|Copie à|Copia|CC|Kopia|Копия|抄送|抄送人|副本|참조|Reply-To',
  subject:
    'Subject|Betreff|Objet|Sujet|Asunto|Oggetto|Assunto|Onderwerp|Ämne|Emne|Aihe|Temat|Тема|Předmět|Predmet|Tárgy|Konu|Subiect|Θέμα|件名|主题|主旨|主題|標題|제목',
} as const;
export type HeaderKind = keyof typeof KINDS;

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, labels]) =>
    labels.split('|').map((label) => [label.toLowerCase(), kind as HeaderKind] as const),
  ),
);

/** The header that a line like `From: ...` or `*Gesendet:* ...` names, or null. */
export function headerKind(line: string): HeaderKind | null {
  const label = /^[*_\s]*([^:：*]{1,24}?)[\s*_\u00a0]*[:：]/.exec(line.slice(0, 60))?.[1];
  return label ? (KIND_OF.get(label.trim().toLowerCase()) ?? null) : null;
}

const ORIGINAL = words(
  "original message | original email | ursprüngliche nachricht | originalnachricht | original-nachricht | message d'origine | " +
    'message d’origine | message original | mensaje original | messaggio originale | mensagem original | ' +
    'oorspronkelijk bericht | origineel bericht | ursprungligt meddelande | originalmeddelande | ' +
    'ursprungligt meddelande | oprindelig meddelelse | oprindelig besked | original meddelelse | original besked | opprinnelig melding | ' +
    'alkuperäinen viesti | oryginalna wiadomość | wiadomość oryginalna | wiadomość pierwotna | исходное сообщение | ' +
    'оригинальное сообщение | вихідне повідомлення | původní zpráva | pôvodná správa | eredeti üzenet | orijinal mesaj | ' +
    'özgün i̇leti | mesaj original | αρχικό μήνυμα | 元のメッセージ | original message (原文) | 原始邮件 | 原邮件 | 邮件原件 | ' +
    '原始郵件 | 原始消息 | 원본 메시지 | 원본 메일 | thư gốc | reply message | antwort nachricht',
);
const FORWARDED = words(
  'forwarded message | forwarded mail | begin forwarded message | forwarded by | weitergeleitete nachricht | ' +
    'anfang der weitergeleiteten nachricht | weitergeleitet von | message transféré | message réexpédié | ' +
    'début du message transféré | début du message réexpédié | mensaje reenviado | inicio del mensaje reenviado | ' +
    'messaggio inoltrato | inizio messaggio inoltrato | mensagem encaminhada | mensagem reencaminhada | ' +
    'início da mensagem encaminhada | início da mensagem reencaminhada | doorgestuurd bericht | ' +
    'begin doorgestuurd bericht | vidarebefordrat meddelande | vidarebefordrat mail | vidarebefordrat brev | ' +
    'påbörjat vidarebefordrat brev | videresendt besked | videresendt meddelelse | videresendt melding | ' +
    'videresendt besked | start på videresendt besked | välitetty viesti | edelleenlähetetty viesti | ' +
    'przekazana wiadomość | wiadomość przekazana dalej | początek przekazywanej wiadomości | пересылаемое сообщение | ' +
    'пересланное сообщение | перенаправленное сообщение | начало переадресованного сообщения | ' +
    'переслане повідомлення | přeposlaná zpráva | preposlaná správa | továbbított üzenet | iletilen ileti | ' +
    'yönlendirilen mesaj | mesaj redirecționat | προωθημένο μήνυμα | 転送メッセージ | 転送されたメッセージ | ' +
    '以下、転送されたメッセージ | 转发的邮件 | 转发邮件 | 被转发邮件 | 转发邮件信息 | 已转发邮件 | 轉寄的郵件 | 轉寄郵件 | 전달된 메시지 | ' +
    '전달된 메일 | thư đã chuyển tiếp',
);

const DELIMITERS = new Map([
  ...ORIGINAL.map((phrase) => [phrase, 'reply'] as const),
  ...FORWARDED.map((phrase) => [phrase, 'forward'] as const),
]);

/**
 * What a delimiter line such as `-----Original Message-----` or `Begin forwarded message:` announces, or null. A phrase
 * counts only alone on its line, between dashes or before a colon; `Forwarded by X` may name a person.
 */
export function delimiterKind(line: string): 'reply' | 'forward' | null {
  if (line.length > 120) return null;
  const match = /^[\s*_>]*(-{2,}|_{2,}|={2,})?\s*(.*?)\s*(-{2,}|_{2,}|={2,}|[:：])?[\s*_]*$/.exec(line);
  const phrase = match?.[2]?.toLowerCase();
  if (!match || !phrase || (!match[1] && !match[3])) return null;
  return DELIMITERS.get(phrase) ?? (match[1] && phrase.startsWith('forwarded by ') ? 'forward' : null);
}

/** Lines that programs add below a text, which may precede a quote. */
export const SENT_FROM =
  /^(?:Sent from|Sent with|Sent via|Get Outlook for|Von meinem|Gesendet von|Gesendet mit|Envoyé de|Envoyé depuis|Enviado desde|Enviado do|Inviato da|Verzonden vanaf|Verstuurd vanaf|Skickat från|Sendt fra|Lähetetty|Wysłane z|Отправлено с|iPhoneから送信|发自我的)/i;
