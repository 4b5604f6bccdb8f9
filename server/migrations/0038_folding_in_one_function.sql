-- compatible with 0037
-- Folding is one function that PostgreSQL does not take apart: as an expression it was planned anew for each index of
-- each statement that inserts a row, which took longer than to fold a name. What it makes of a text stays what it was,
-- so what is indexed by it needs no work. All that it names is of pg_catalog, for which no search path is needed.
-- folded_letters stays: connections that are open have it in what they keep of each index.
CREATE OR REPLACE FUNCTION folded(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 3 AS $$
DECLARE
  letters text;
BEGIN
  IF octet_length(given) = char_length(given) THEN
    RETURN lower(given COLLATE "C");
  END IF;
  letters := lower(regexp_replace(normalize(given, NFD), U&'[\0300-\036F]', '', 'g') COLLATE "C");
  IF octet_length(letters) = char_length(letters) THEN
    RETURN letters;
  END IF;
  RETURN normalize(replace(replace(replace(translate(letters,
    'ÆÐØÞĐĦŁŊŒŦƁƆƊƎƏƐƓƔƖƗƘƝƟƩƱƲƳƵƷǤȜȢɄɅẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҖҘҚҜҠҢҤҪҮҰҲҶҸҺӀӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖςøđħłŧðı',
    'ædoþdhlŋœtɓɔɗǝəɛɠɣɩɨƙɲɵʃʊʋƴƶʒǥȝȣʉʌßαβγδεζηθικλμνξοπρστυφχψωђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғҗҙқҝҡңҥҫүұҳҷҹһӏәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆσodhltdi'),
    'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), NFC);
END
$$;
