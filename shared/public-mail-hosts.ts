/**
 * Hosts where anybody gets a mailbox: an address there says nothing about the employer. Published lists refuse
 * thousands of companies that offered mail once (alibaba.com, att.net, saudia.com), so this one has the large services
 * only.
 */
const HOSTS = new Set(
  `126.com 139.com 163.com aim.com aliyun.com aol.com bigpond.com bluewin.ch btinternet.com centrum.cz
  comcast.net cox.net daum.net earthlink.net email.cz fastmail.com fastmail.fm foxmail.com free.fr freenet.de
  gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hanmail.net hey.com hotmail.be hotmail.co.uk
  hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it hotmail.nl hushmail.com icloud.com inbox.lv inbox.ru
  interia.pl laposte.net libero.it list.ru live.co.uk live.com live.de live.fr live.it live.nl mac.com mail.com
  mail.de mail.ru mailbox.org mailinator.com me.com msn.com naver.com o2.pl onet.pl optonline.net orange.fr
  outlook.com outlook.de outlook.es outlook.fr outlook.it outlook.jp pm.me posteo.de proton.me protonmail.ch
  protonmail.com qq.com rambler.ru rediffmail.com rocketmail.com sbcglobal.net seznam.cz sfr.fr sina.com sky.com
  t-online.de telenet.be terra.com.br tiscali.it tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net
  uol.com.br verizon.net virgilio.it wanadoo.fr web.de wp.pl ya.ru yahoo.ca yahoo.co.id yahoo.co.in yahoo.co.jp
  yahoo.co.uk yahoo.com yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.mx yahoo.de yahoo.es yahoo.fr yahoo.in
  yahoo.it yandex.com yandex.ru yeah.net ymail.com zoho.com`.split(/\s+/),
);

export const isPublicMailHost = (host: string): boolean => HOSTS.has(host);
