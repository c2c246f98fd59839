//! Filters that change what they read if an option says so, wherever it stands and whatever stands with it.

use crate::{CHANGES, all, none};

#[test]
fn sed_changes_its_files_wherever_the_option_for_it_appears() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "sed -i s/x/y/ ~/p/a",
            "sed -E -i s/x/y/ ~/p/a",
            "sed -Ei s/x/y/ ~/p/a",
            "sed -nEi.bak s/x/y/ ~/p/a",
            "sed -ni.before -e s/x/y/ ~/p/a",
            "sed -ri s/x/y/ ~/p/a",
            "sed -Eie s/x/y/ ~/p/a",
            "sed -E --in-place s/x/y/ ~/p/a",
            "sed -E --in-place=.bak s/x/y/ ~/p/a",
            "sed --regexp-extended --in-pl s/x/y/ ~/p/a",
            "sed --expression=s/x/y/ -E -i ~/p/a",
            "sed -Ei -f x.sed ~/p/a",
            "sed -l 5 -i s/x/y/ ~/p/a",
            "sed s/x/y/ ~/p/a -E -i",
            "sed -i '' -E s/x/y/ ~/p/a",
            "sed -I '' s/x/y/ ~/p/a",
            "gsed -E -i s/x/y/ ~/p/a",
        ],
    );
    none(
        CHANGES,
        "~/p/a",
        &[
            "sed -E -n s/x/y/p ~/p/a",
            "sed -e i\\\\x ~/p/a",
            "sed -ne /i/p ~/p/a",
            "sed -Ee s/i/j/ ~/p/a",
            "sed -f in.sed ~/p/a",
        ],
    );
}

#[test]
fn other_filters_do_so_in_letters_or_libraries_of_their_own() {
    all(
        CHANGES,
        "~/p/a",
        &[
            "perl -pi -e s/x/y/ ~/p/a",
            "perl -0777 -pi.bak -e s/x/y/ ~/p/a",
            "perl -lpi -e s/x/y/ ~/p/a",
            "perl -Mstrict -F: -pi -e s/x/y/ ~/p/a",
            "ruby -pi -e 'gsub(/x/, %q(y))' ~/p/a",
            "ruby -rset -i.bak -pe 'gsub(/x/, %q(y))' ~/p/a",
            "gawk -i inplace '{print}' ~/p/a",
            "gawk -iinplace '{print}' ~/p/a",
            "gawk -i inplace.awk 1 ~/p/a",
            "gawk -i /usr/share/awk/inplace.awk 1 ~/p/a",
            "gawk -l inplace 1 ~/p/a",
            "gawk --include=inplace '{print}' ~/p/a",
            "gawk --include inplace '{print}' ~/p/a",
            "gawk -v INPLACE_SUFFIX=.bak -i inplace 1 ~/p/a",
            "gawk '@include \"inplace\"; {print}' ~/p/a",
            "awk -i inplace 1 ~/p/a",
            "yq -i '.a=1' ~/p/a",
            "yq -Pi '.a=1' ~/p/a",
            "yq -oy -i '.a=1' ~/p/a",
            "yq eval --inplace '.a=1' ~/p/a",
            "yq -i ~/p/a",
            "yq -yi '.a=1' ~/p/a",
            "tomlq -ti '.a=1' ~/p/a",
            "jaq -i . ~/p/a",
            "dasel put -f ~/p/a -v x a",
            "cat x | sponge -a ~/p/a",
        ],
    );
    none(
        CHANGES,
        "~/p/a",
        &[
            "perl -Ilib -ne print ~/p/a",
            "perl -Mbigint -ne print ~/p/a",
            "ruby -rpathname -ne print ~/p/a",
            "gawk -i lib '{print}' ~/p/a",
            "gawk '/inplace/ {print}' ~/p/a",
            "yq -p ini . ~/p/a",
            "yq -oi . ~/p/a",
            "dasel -f ~/p/a x",
        ],
    );
}
