Creator "x"
graph [ directed 1 # a comment
 node [ id 1 label "A &#233; &amp; b" graphics [ x 1.5 y -2e3 ] tag "a" tag "b" ]
 node [ id 2 ]
 edge [ source 1 target 2 value 3 label "uses" ]
]
